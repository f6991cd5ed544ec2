-- AlterEnum
ALTER TYPE "card_kind" ADD VALUE 'emergency';
ALTER TYPE "card_kind" ADD VALUE 'block_out';
ALTER TYPE "card_kind" ADD VALUE 'one_shot';
ALTER TYPE "lock_command_type" ADD VALUE 'lift_block' BEFORE 'read_back';
ALTER TYPE "revoke_reason" ADD VALUE 'used_up';
ALTER TYPE "alert_kind" ADD VALUE 'emergency_opened';
ALTER TYPE "alert_kind" ADD VALUE 'blocked_out';
