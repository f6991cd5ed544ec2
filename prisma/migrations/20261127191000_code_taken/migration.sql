-- AlterEnum
ALTER TYPE "alert_kind" ADD VALUE 'code_taken';
