import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { spyOn } from 'bun:test'

const TXT = 16
const NO_SUCH_NAME = 3

/** A DNS server on this machine that the service asks instead of those of the operating system. */
export interface DnsServer {
  /** The TXT record of each name. */
  zone: Map<string, string>
  close(): void
}

/** Starts a DNS server that knows TXT records of one text, and sends all look-ups of this process to it. */
export async function openDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, string>()
  const socket = createSocket('udp4', (question, { port, address }) => {
    socket.send(answerTo(question, zone), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const here = `127.0.0.1:${socket.address().port}`
  const asks = Resolver.prototype.resolveTxt
  const spy = spyOn(Resolver.prototype, 'resolveTxt').mockImplementation(function (this: Resolver, name) {
    this.setServers([here])
    return asks.call(this, name)
  })
  return {
    zone,
    close() {
      spy.mockRestore()
      socket.close()
    },
  }
}

/** A message of RFC 1035, section 4: the question comes back, with the record where the name has one. */
function answerTo(question: Buffer, zone: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let size = question[at]!; size > 0; size = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  const text = zone.get(labels.join('.').toLowerCase())
  const flags = [0x81, text === undefined ? 0x80 + NO_SUCH_NAME : 0x80]
  const counts = [0, 1, 0, text === undefined ? 0 : 1, 0, 0, 0, 0]
  const record = Buffer.from(text ?? '', 'latin1')
  const answer = [0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 0, 0, record.length + 1, record.length]
  return Buffer.concat([
    question.subarray(0, 2),
    Buffer.from([...flags, ...counts]),
    question.subarray(12, at + 5),
    ...(text === undefined ? [] : [Buffer.from(answer), record]),
  ])
}
