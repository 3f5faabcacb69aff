import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, isIP, type AddressInfo, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface SinkMessage {
  from: string
  to: string[]
  raw: Buffer
}

/** Nothing: accept. A refusal: its code and text, enhanced status code included. `drop`: cut the connection. */
export type SinkAnswer = { code: number; text: string } | 'drop' | undefined | void

type Hook<About> = (about: About) => SinkAnswer | Promise<SinkAnswer>

export interface SmtpSinkOptions {
  /** Left out: any free port. */
  port?: number
  /** Whom to let in; left out: nobody has to sign in. */
  auth?: { user: string; password: string }
  /** Left out: no TLS at all. */
  tls?: { mode: 'starttls' | 'implicit'; certificate: Certificate }
  /** Whether commands may be sent ahead (RFC 2920); yes when left out. */
  pipelining?: boolean
  /** Whether addresses may be written in any script (RFC 6531); yes when left out. */
  utf8?: boolean
  /** Asked for each connection, with its number from 1. */
  onConnect?: Hook<number>
  onMail?: Hook<string>
  onRcpt?: Hook<string>
  onData?: Hook<SinkMessage>
}

export interface SmtpSink {
  host: string
  port: number
  messages: SinkMessage[]
  connections: { now: number; most: number; total: number }
  /** The messages, as soon as there are `count`. */
  waitFor(count: number): Promise<SinkMessage[]>
  close(): Promise<void>
}

/** A real SMTP server on the loopback that keeps what it is sent. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const messages: SinkMessage[] = []
  const connections = { now: 0, most: 0, total: 0 }
  const waiters: { count: number; resolve(): void }[] = []
  const sockets = new Set<Socket>()

  const server = new SMTPServer({
    secure: options.tls?.mode === 'implicit',
    ...options.tls?.certificate,
    disabledCommands: [...(options.tls?.mode === 'starttls' ? [] : ['STARTTLS']), ...(options.auth ? [] : ['AUTH'])],
    authOptional: !options.auth,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    hidePIPELINING: options.pipelining === false,
    hideSMTPUTF8: options.utf8 === false,
    hideENHANCEDSTATUSCODES: true,
    maxAllowedUnauthenticatedCommands: false,
    closeTimeout: 1,
    onConnect(session, done) {
      connections.now += 1
      connections.total += 1
      connections.most = Math.max(connections.most, connections.now)
      void answer(session, options.onConnect?.(connections.total), done)
    },
    onClose() {
      connections.now -= 1
    },
    onAuth(auth, _session, done) {
      const known = auth.username === options.auth?.user && auth.password === options.auth?.password
      done(
        null,
        known ? { user: auth.username } : { message: '5.7.8 Authentication credentials invalid', responseCode: 535 },
      )
    },
    onMailFrom: (address, session, done) => void answer(session, options.onMail?.(address.address), done),
    onRcptTo: (address, session, done) => void answer(session, options.onRcpt?.(address.address), done),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const message = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        }
        void answer(session, options.onData?.(message), (refusal) => {
          if (!refusal) keep(message)
          done(refusal)
        })
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function answer(
    session: SMTPServerSession,
    given: ReturnType<Hook<never>> | undefined,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const chosen = await given
    if (chosen === 'drop') [...sockets].find((socket) => socket.remotePort === session.remotePort)?.destroy()
    else done(chosen ? Object.assign(new Error(chosen.text), { responseCode: chosen.code }) : null)
  }

  function keep(message: SinkMessage): void {
    messages.push(message)
    for (const waiter of waiters) if (messages.length >= waiter.count) waiter.resolve()
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    messages,
    connections,
    async waitFor(count) {
      if (messages.length < count) await new Promise<void>((resolve) => waiters.push({ count, resolve }))
      return messages
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** One connection of a raw server, from the server's side. */
export interface RawPeer {
  /** Sends lines. */
  say(...lines: string[]): void
  /** Sends a part of a line. */
  write(part: string): void
  /** The next line from the client; rejects when the client goes away. */
  hear(): Promise<string>
  /** The lines up to and without the next one that is `last`. */
  hearUntil(last: string): Promise<string[]>
  /** Cuts the connection. */
  drop(): void
}

export interface RawSmtp {
  host: string
  port: number
  /** Connections it has had. */
  connections: number
  close(): Promise<void>
}

/**
 * A server that follows a script, for what a proper server never does. `script` is given each connection and its number
 * from 1.
 */
export async function startRawSmtp(script: (peer: RawPeer, number: number) => Promise<void> | void): Promise<RawSmtp> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    raw.connections += 1
    // A script ends early when its client goes away; what matters is what the client made of it.
    void Promise.resolve(script(rawPeer(socket), raw.connections)).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const raw: RawSmtp = {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return raw
}

function rawPeer(socket: Socket): RawPeer {
  const heard: string[] = []
  let rest = ''
  let wake = () => {}
  let gone = false
  const end = () => {
    gone = true
    wake()
  }
  socket.setNoDelay(true)
  socket.on('error', end)
  socket.on('close', end)
  socket.on('end', end)
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n')
    rest = lines.pop()!
    heard.push(...lines)
    wake()
  })

  async function hear(): Promise<string> {
    while (heard.length === 0) {
      if (gone) throw new Error('The client is gone.')
      await new Promise<void>((resolve) => (wake = resolve))
    }
    return heard.shift()!
  }

  return {
    write: (part) => void socket.write(part),
    say: (...lines) => void socket.write(lines.map((line) => `${line}\r\n`).join('')),
    hear,
    async hearUntil(last) {
      const lines: string[] = []
      for (let line = await hear(); line !== last; line = await hear()) lines.push(line)
      return lines
    },
    drop: () => void socket.destroy(),
  }
}

/** A certificate and its private key, in PEM; the certificate is its own authority. */
export interface Certificate {
  cert: string
  key: string
}

/** Makes a self-signed certificate (RFC 5280) for names and IP addresses, good from 2020 to 2049. */
export function selfSigned(...names: string[]): Certificate {
  return certificateOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), der(0x30, oid('2a8648ce3d040302')), names)
}

/** As `selfSigned`, of an RSA key. */
export function selfSignedRsa(...names: string[]): Certificate {
  return certificateOf(
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    der(0x30, oid('2a864886f70d01010b'), der(0x05)),
    names,
  )
}

/** @param algorithm how the certificate is signed, with SHA-256 in any case */
function certificateOf(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  algorithm: Buffer,
  names: readonly string[],
): Certificate {
  const issuer = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(names[0] ?? 'test')))))
  const alternatives = names.map((name) =>
    isIP(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  )
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    issuer,
    der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        0x30,
        extension('551d13', der(0x30, der(0x01, Buffer.from([0xff])))),
        extension('551d11', der(0x30, ...alternatives)),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = der(0x30, content, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, oid(id), der(0x04, value))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** Tag, length, content (X.690, section 8.1). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
