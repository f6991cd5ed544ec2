// Runs the real zigbee2mqtt in the Node version it needs. In place of a radio it has a herdsman adapter that exchanges
// ZCL frames with the virtual locks of this folder. The parent process sends the actions at the doors over the channel.
const { VirtualLock } = require("./virtual-lock.cjs");

const from = (name) => require(require.resolve(name, { paths: [process.env.PACKAGES] }));
const { Adapter } = from("zigbee-herdsman/dist/adapter/adapter");
const { Zcl } = from("zigbee-herdsman");

const CLUSTER = "closuresDoorLock";
const CLUSTER_ID = 0x0101;
const COORDINATOR = "0x00124b0000000000";
/** Delay before a lock answers, because its radio sleeps most of the time. */
const RADIO_MS = 60;
const READ = 0x00;
const CONFIGURE_REPORTING = 0x06;
const WRITE = 0x02;
const UNSUPPORTED = 0x86;

/** @type {VirtualLock[]} */
const locks = JSON.parse(process.env.LOCKS).map((facts) => new VirtualLock(facts));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let number = 1;

class FakeRadio extends Adapter {
  async start() {
    return "resumed";
  }
  async stop() {}
  async getCoordinatorIEEE() {
    return COORDINATOR;
  }
  async getCoordinatorVersion() {
    return { type: "none", meta: {} };
  }
  async reset() {}
  async supportsBackup() {
    return false;
  }
  async backup() {}
  async getNetworkParameters() {
    return { panID: 0x1a62, extendedPanID: "0xdddddddddddddddd", channel: 11, nwkUpdateID: 0 };
  }
  async addInstallCode() {}
  async permitJoin() {}
  waitFor() {
    return { promise: new Promise(() => {}), cancel() {} };
  }
  async sendZdo(_ieee, _address, _cluster, _payload, disableResponse) {
    // Binding and similar requests succeed.
    return disableResponse ? undefined : [0, {}];
  }
  async sendZclFrameToGroup() {}
  async sendZclFrameToAll() {}
  async setChannelInterPAN() {}
  async sendZclFrameInterPANToIeeeAddr() {}
  async sendZclFrameInterPANBroadcast() {}
  async restoreChannelInterPAN() {}

  async sendZclFrameToEndpoint(ieee, _address, _endpoint, frame) {
    const lock = locks.find((one) => one.ieee === ieee);
    if (!lock) return undefined;
    await pause(RADIO_MS);
    if (lock.deaf) throw new Error("no answer from the lock");
    if (frame.header.isGlobal) return this.#answerGlobal(lock, frame);
    const { answer, says } = lock.take(frame.command.name, frame.payload);
    setTimeout(() => this.say(lock, says), RADIO_MS);
    if (!answer) return undefined;
    const tsn = frame.header.transactionSequenceNumber;
    return this.#fromLock(lock, this.#specific(`${frame.command.name}Rsp`, answer, tsn));
  }

  /** Sends the lock's own messages, one after the other. */
  async say(lock, reports) {
    for (const { command, payload, report } of reports) {
      number = (number + 1) % 256;
      this.#fromLock(
        lock,
        command
          ? this.#specific(command, payload, number)
          : this.#global("report", [{ attrId: 0, dataType: Zcl.DataType.ENUM8, attrData: report.lockState }], number),
      );
      await pause(350);
    }
  }

  #answerGlobal(lock, frame) {
    const { commandIdentifier: id, transactionSequenceNumber: tsn } = frame.header;
    if (id === READ) {
      const read = frame.payload.map(({ attrId }) =>
        attrId === 0 && frame.cluster.ID === CLUSTER_ID
          ? { attrId, status: 0, dataType: Zcl.DataType.ENUM8, attrData: lock.locked ? 1 : 2 }
          : { attrId, status: UNSUPPORTED },
      );
      return this.#fromLock(lock, this.#global("readRsp", read, tsn, frame.cluster.name), frame.cluster.ID);
    }
    if (id === CONFIGURE_REPORTING) {
      return this.#fromLock(
        lock,
        this.#global("configReportRsp", [{ status: 0 }], tsn, frame.cluster.name),
        frame.cluster.ID,
      );
    }
    if (id === WRITE) {
      return this.#fromLock(lock, this.#global("writeRsp", [{ status: 0 }], tsn, frame.cluster.name), frame.cluster.ID);
    }
    return undefined;
  }

  #specific(command, payload, tsn) {
    const { SPECIFIC } = Zcl.FrameType;
    return Zcl.Frame.create(
      SPECIFIC,
      Zcl.Direction.SERVER_TO_CLIENT,
      true,
      undefined,
      tsn,
      command,
      CLUSTER,
      payload,
      {},
    );
  }

  #global(command, payload, tsn, cluster = CLUSTER) {
    const { GLOBAL } = Zcl.FrameType;
    return Zcl.Frame.create(
      GLOBAL,
      Zcl.Direction.SERVER_TO_CLIENT,
      true,
      undefined,
      tsn,
      command,
      cluster,
      payload,
      {},
    );
  }

  #fromLock(lock, frame, clusterID = CLUSTER_ID) {
    const data = frame.toBuffer();
    const payload = {
      clusterID,
      header: Zcl.Header.fromBuffer(data),
      data,
      address: lock.address,
      endpoint: lock.endpoint,
      linkquality: 120,
      groupID: 0,
      wasBroadcast: false,
      destinationEndpoint: 1,
    };
    this.emit("zclPayload", payload);
    return payload;
  }
}

let radio;
Adapter.create = async (...settings) => {
  radio = new FakeRadio(...settings);
  return radio;
};

process.on("message", ({ ask, lock: name, act, code, deaf }) => {
  const lock = locks.find((one) => one.name === name);
  if (act === "type") void radio.say(lock, lock.type(code));
  if (act === "deafen") lock.deaf = deaf;
  const users = [...lock.users].map(([user, one]) => ({ user, status: one.status, code: one.code.toString() }));
  process.send({ answer: ask, users, received: lock.received });
});
process.on("disconnect", () => process.exit(0));

from("zigbee2mqtt").start();
