ALTER TYPE unlock_style ADD VALUE 'fingerprint' BEFORE 'unknown';
