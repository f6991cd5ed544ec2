import type { Scope } from "../../core/scope.ts";

/** Whose upload it is shows in its name, so that no table has to say it. */
export interface UploadName {
  hotelId: number;
  operatorId: number;
  id: string;
}

export const UPLOADS = "uploads";
const KEY = /^uploads\/([1-9]\d{0,9})\/([1-9]\d{0,9})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const keyOf = ({ hotelId, operatorId, id }: UploadName): string => `${UPLOADS}/${hotelId}/${operatorId}/${id}`;

/** Null for what is no key of an upload, or of somebody else's. */
export function ownUpload(scope: Scope, key: string): UploadName | null {
  const [, hotelId, operatorId, id] = KEY.exec(key) ?? [];
  const own = id !== undefined && Number(hotelId) === scope.hotelId && Number(operatorId) === scope.operatorId;
  return own ? { hotelId: Number(hotelId), operatorId: Number(operatorId), id } : null;
}
