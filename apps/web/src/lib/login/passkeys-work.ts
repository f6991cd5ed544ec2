/** Browsers have passkeys over https and on this very machine, and at a name, not at a bare address. */
export const passkeysWork = (): boolean =>
  isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
