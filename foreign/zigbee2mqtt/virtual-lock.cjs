/** A Zigbee door lock: its state, and the ZCL frames that it answers with. Source: ZCL 8, chapter 7.3, Door Lock. */

const AVAILABLE = 0;
const SOURCE = { keypad: 0, rf: 1 };
const OPERATION = { unlock: 2, wrongCode: 5, autoLock: 10 };
const PROGRAMMED = { added: 2, deleted: 3 };
const UNRESTRICTED = 0;

class VirtualLock {
  /**
   * @param {{ name: string, ieee: string, address: number, endpoint: number, maker: string, model: string,
   *   tellsOfProgramming?: boolean, stateFirst?: boolean }} facts
   */
  constructor(facts) {
    Object.assign(this, facts);
    /** @type {Map<number, { status: number, type: number, code: Buffer }>} */
    this.users = new Map();
    this.locked = true;
    /** carries out commands but answers nothing */
    this.deaf = false;
    /** number of received commands, by command name */
    this.received = {};
  }

  /**
   * Handles a command: returns its answer, and the messages that the lock sends afterwards. Attributes have herdsman's
   * names.
   * @returns {{ answer?: object, says: { command?: string, payload?: object, report?: object }[] }}
   */
  take(command, payload) {
    this.received[command] = (this.received[command] ?? 0) + 1;
    switch (command) {
      case "setPinCode": {
        const { userid, userstatus, usertype, pincodevalue } = payload;
        this.users.set(userid, { status: userstatus, type: usertype, code: Buffer.from(pincodevalue) });
        return { answer: { status: 0 }, says: this.#programmed(PROGRAMMED.added, userid) };
      }
      case "clearPinCode":
        this.users.delete(payload.userid);
        return { answer: { status: 0 }, says: this.#programmed(PROGRAMMED.deleted, payload.userid) };
      case "getPinCode": {
        const user = this.users.get(payload.userid);
        const { status = AVAILABLE, type = UNRESTRICTED, code = Buffer.alloc(0) } = user ?? {};
        return { answer: { userid: payload.userid, userstatus: status, usertype: type, pincodevalue: code }, says: [] };
      }
      case "unlockDoor": {
        const reports = [this.#operated(SOURCE.rf, OPERATION.unlock, 0), { report: { lockState: 2 } }];
        return { answer: { status: 0 }, says: this.stateFirst ? reports.reverse() : reports };
      }
      case "lockDoor":
        return { answer: { status: 0 }, says: [{ report: { lockState: 1 } }] };
    }
    return { says: [] };
  }

  /** Simulates a person entering a code. */
  type(code) {
    const [user] = [...this.users].find(([, one]) => one.status === 1 && one.code.toString() === code) ?? [];
    return user === undefined
      ? [this.#operated(SOURCE.keypad, OPERATION.wrongCode, 0xffff)]
      : [this.#operated(SOURCE.keypad, OPERATION.unlock, user), { report: { lockState: 2 } }];
  }

  #operated(opereventsrc, opereventcode, userid) {
    const payload = { opereventsrc, opereventcode, userid, pin: Buffer.alloc(0), zigbeelocaltime: 0, data: "" };
    return { command: "operationEventNotification", payload };
  }

  #programmed(programeventcode, userid) {
    if (this.tellsOfProgramming === false) return [];
    const common = { pin: Buffer.alloc(0), usertype: 0, userstatus: 1, zigbeelocaltime: 0, data: "" };
    const payload = { programeventsrc: SOURCE.rf, programeventcode, userid, ...common };
    return [{ command: "programmingEventNotification", payload }];
  }
}

module.exports = { VirtualLock };
