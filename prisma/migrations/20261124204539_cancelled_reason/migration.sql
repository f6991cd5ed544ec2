-- The keys of a cancelled reservation are revoked for a reason of their own; nobody checked out.
ALTER TYPE "revoke_reason" ADD VALUE 'cancelled';
