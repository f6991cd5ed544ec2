-- AlterEnum
ALTER TYPE "alert_kind" ADD VALUE 'block_out_ended';
