import { describe, expect, it } from "vitest";
import { type SignedRequest, verdictOn } from "./s3-server.ts";

/** The two worked examples of the Amazon S3 API Reference, unchanged. */
const KEY = {
  accessKey: "AKIAIOSFODNN7EXAMPLE",
  secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const AT = new Date("2013-05-24T00:00:00Z");
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const inHeader: SignedRequest = {
  method: "GET",
  target: "/test.txt",
  headers: {
    host: "examplebucket.s3.amazonaws.com",
    range: "bytes=0-9",
    "x-amz-content-sha256": EMPTY,
    "x-amz-date": "20130524T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
};
const inQuery: SignedRequest = {
  method: "GET",
  target:
    "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  headers: { host: "examplebucket.s3.amazonaws.com" },
};

describe("the S3 store of the tests", () => {
  it("matches the documentation's examples", () => {
    expect(verdictOn(inHeader, KEY, AT)).toBe("right");
    expect(verdictOn(inQuery, KEY, AT)).toBe("right");
  });

  it("refuses a request that was changed, is late, or is signed with another key", () => {
    const other = { ...KEY, secretKey: "another" };
    for (const request of [inHeader, inQuery]) {
      expect(verdictOn(request, other, AT)).toBe("SignatureDoesNotMatch");
      expect(verdictOn({ ...request, method: "PUT" }, KEY, AT)).toBe("SignatureDoesNotMatch");
      expect(verdictOn({ ...request, target: request.target.replace("test", "best") }, KEY, AT)).not.toBe("right");
    }
    const elsewhere = { ...inHeader, headers: { ...inHeader.headers, range: "bytes=0-99" } };
    expect(verdictOn(elsewhere, KEY, AT)).toBe("SignatureDoesNotMatch");
    expect(verdictOn(inHeader, KEY, new Date("2013-05-24T00:15:01Z"))).toBe("RequestTimeTooSkewed");
    expect(verdictOn(inQuery, KEY, new Date("2013-05-25T00:00:01Z"))).toBe("AccessDenied");
    expect(verdictOn({ ...inHeader, headers: { host: "x" } }, KEY, AT)).toBe("AccessDenied");
  });
});
