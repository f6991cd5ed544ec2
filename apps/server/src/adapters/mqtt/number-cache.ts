import mqttPacket from "mqtt-packet";

/**
 * Broker and client share this library, which keeps a buffer for each of 65,536 numbers to write packets a little
 * faster. For the few packets of locks, 7 MB of memory are worth more. Import this before the first packet is written.
 */
mqttPacket.writeToStream.cacheNumbers = false;
