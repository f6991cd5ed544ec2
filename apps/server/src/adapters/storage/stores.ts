import { join } from "node:path";
import { diskFiles, type LargeFileStorage } from "./file-storage.ts";
import { type S3Bucket, type S3Settings, s3Bucket, s3Files, s3Uploads } from "./s3-storage.ts";

import { diskUploads, type UploadStorage } from "./upload-storage.ts";

export interface Stores {
  storage: LargeFileStorage;
  exportStorage: LargeFileStorage;
  uploadStorage: UploadStorage;
  /** null: all files are on disk */
  bucket: S3Bucket | null;
}

/** Opens the storage for files beside the database: pictures, exports and uploads, on disk or in an object store. */
export function openStores({ dataDir, s3 }: { dataDir: string; s3: S3Settings | undefined }): Stores {
  if (!s3) {
    return {
      storage: diskFiles(join(dataDir, "files")),
      exportStorage: diskFiles(join(dataDir, "exports")),
      uploadStorage: diskUploads(dataDir, "uploads"),
      bucket: null,
    };
  }
  const bucket = s3Bucket(s3);
  return {
    storage: s3Files(bucket, "files"),
    exportStorage: s3Files(bucket, "exports"),
    uploadStorage: s3Uploads(bucket, "uploads"),
    bucket,
  };
}
