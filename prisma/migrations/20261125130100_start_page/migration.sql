-- The page that opens for a person after the login.

-- CreateEnum
CREATE TYPE "start_page" AS ENUM ('customers', 'today', 'board');

-- AlterTable
ALTER TABLE "operator" ADD COLUMN     "start_page" "start_page" NOT NULL DEFAULT 'customers';
