-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "access_box" BYTEA;

-- AlterTable
ALTER TABLE "device_link" ADD COLUMN     "access_box" BYTEA;
