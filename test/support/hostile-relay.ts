import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Where a relay stops to serve its client: for tests and measurements of how the service ends. */
export const HOSTILE = ['greeting', 'ehlo', 'mail', 'rcpt', 'reading', 'content', 'dripping'] as const
export type Hostile = (typeof HOSTILE)[number]

export interface HostileRelay {
  port: number
  /** Resolves when a client is held up. */
  reached: Promise<void>
  close(): void
}

const BYTE_EACH_MS = 1_000

/**
 * A relay that is silent from a command on (or never greets), reads the content one byte a second (`reading`), or
 * answers it with a reply of several lines, one byte a second (`dripping`).
 */
export async function startHostileRelay(hostile: Hostile): Promise<HostileRelay> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const timers: ReturnType<typeof setInterval>[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (hostile === 'greeting') return reach()
    socket.write('220 relay\r\n')
    let pending = ''
    let in_content = false
    const slowly = (act: (turn: number) => void): void => {
      let turn = 0
      timers.push(setInterval(() => act(turn++), BYTE_EACH_MS))
      reach()
    }
    const contentEnded = (): void => {
      if (hostile === 'content') return reach()
      const reply = '250-taken\r\n'.repeat(100)
      slowly((turn) => socket.write(reply[turn]!))
    }
    const hear = (line: string): void => {
      if (in_content) return line === '.' ? contentEnded() : undefined
      const verb = line.slice(0, 4).toUpperCase()
      if (verb.toLowerCase() === hostile) return reach()
      if (verb !== 'DATA') return void socket.write(verb === 'EHLO' ? '250-relay\r\n250 8BITMIME\r\n' : '250 ok\r\n')
      in_content = true
      if (hostile === 'reading') {
        socket.pause()
        slowly(() => socket.read(1))
      }
      socket.write('354 go on\r\n')
    }
    socket.on('data', (chunk: Buffer) => {
      const lines = (pending + chunk.toString('latin1')).split('\r\n')
      pending = lines.pop()!
      lines.forEach(hear)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    close() {
      timers.forEach(clearInterval)
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
