import type { Scope } from "../../../kernel/scope.ts";

/** Name of an upload. It contains the owner, so that no table is needed. */
export interface UploadName {
  hotelId: number;
  operatorId: number;
  id: string;
}

export const UPLOADS = "uploads";
const KEY = /^uploads\/([1-9]\d{0,9})\/([1-9]\d{0,9})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const keyOf = ({ hotelId, operatorId, id }: UploadName): string => `${UPLOADS}/${hotelId}/${operatorId}/${id}`;

/** Returns null if the key is not that of an upload, or belongs to someone else. */
export function ownUpload(scope: Scope, key: string): UploadName | null {
  const [, hotelId, operatorId, id] = KEY.exec(key) ?? [];
  const own = id !== undefined && Number(hotelId) === scope.hotelId && Number(operatorId) === scope.operatorId;
  return own ? { hotelId: Number(hotelId), operatorId: Number(operatorId), id } : null;
}
