-- Whether the hotel writes times of day with twelve or twenty-four hours; so far each language decided.

-- CreateEnum
CREATE TYPE "hour_format" AS ENUM ('language', 'h12', 'h24');

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "hour_format" "hour_format" NOT NULL DEFAULT 'language';
