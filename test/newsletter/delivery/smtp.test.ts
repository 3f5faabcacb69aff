import { afterEach, describe, expect, test } from 'bun:test'
import { createSmtpPool, type SmtpOptions, type SmtpPool } from '../../../src/newsletter/delivery/smtp.ts'
import { type RawPeer, selfSigned, type SmtpSinkOptions, startRawSmtp, startSmtpSink } from '../../support/smtp-sink.ts'

const MESSAGE = Buffer.from('Subject: x\r\n\r\nHello\r\n.dots\r\n..\r\n.\r\nend\r\n')
const ENVELOPE = { from: 'news@acme.example', to: 'ada@example.com' }
const QUICK = { connect_timeout_ms: 2_000, greeting_timeout_ms: 2_000, socket_timeout_ms: 2_000 }
/** For tests in which the server is silent. */
const IMPATIENT = { connect_timeout_ms: 120, greeting_timeout_ms: 30, socket_timeout_ms: 60 }

const open: { close(): Promise<void> }[] = []

/** What a test opens is closed after it, the last first. */
function opened<T extends { close(): Promise<void> }>(thing: T): T {
  open.push(thing)
  return thing
}

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

const poolTo = ({ host, port }: { host: string; port: number }, options: Partial<SmtpOptions> = {}): SmtpPool =>
  opened(createSmtpPool({ host, port, secure: 'none', ...QUICK, ...options }))

const sink = async (options?: SmtpSinkOptions) => opened(await startSmtpSink(options))

const raw = async (script: Parameters<typeof startRawSmtp>[0]) => opened(await startRawSmtp(script))

/** A reply, or none because the connection is cut, or none at all. */
type Reply = string | 'drop' | 'silence'
type Stage = 'greeting' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'content'

interface Relay {
  replies?: Partial<Record<Stage, Reply>>
  /** Whether the client may send ahead. */
  pipelining?: boolean
  /** Every command heard, in order. */
  heard?: string[]
}

const PROPER: Record<Stage, string> = { greeting: '220 relay', ehlo: '', auth: '235 welcome', mail: '250 ok', rcpt: '250 ok', data: '354 go on', content: '250 taken' }
const STAGE_OF: Record<string, Stage> = { EHLO: 'ehlo', AUTH: 'auth', MAIL: 'mail', RCPT: 'rcpt', DATA: 'data' }

/** A relay that does all as it should but for the given replies. */
function relay({ replies = {}, pipelining = true, heard = [] }: Relay = {}): (peer: RawPeer) => Promise<void> {
  const capabilities = ['250-relay', ...(pipelining ? ['250-PIPELINING'] : []), '250 AUTH PLAIN']
  return async (peer) => {
    const answer = (stage: Stage): Reply => {
      const reply = replies[stage] ?? PROPER[stage]
      if (reply === 'drop') peer.drop()
      else if (stage === 'ehlo' && reply === '') peer.say(...capabilities)
      else if (reply !== 'silence') peer.say(...reply.split('\n'))
      return reply
    }
    let refused = false
    answer('greeting')
    for (;;) {
      const command = await peer.hear()
      heard.push(command)
      const verb = command.split(/[ :]/)[0]!.toUpperCase()
      const stage = STAGE_OF[verb]
      if (verb === 'MAIL') refused = false
      if (stage === 'data' && refused) peer.say('503 no recipients')
      else if (stage) {
        const reply = answer(stage)
        refused ||= !/^[23]/.test(reply) && reply !== ''
        if (reply === 'drop') return
        if (stage !== 'data' || !reply.startsWith('354')) continue
        await peer.hearUntil('.')
        if (answer('content') === 'drop') return
      } else if (verb === 'QUIT') peer.say('221 bye')
      else if (verb === 'RSET') peer.say('250 reset')
      else peer.say('502 what?')
    }
  }
}

describe.each([{ pipelining: true }, { pipelining: false }])('an answer (%o)', ({ pipelining }) => {
  const sendThrough = async (replies: Relay['replies'], options?: Partial<SmtpOptions>) =>
    poolTo(await raw(relay({ replies, pipelining })), options).send(ENVELOPE, MESSAGE)

  test('of acceptance', async () => {
    expect(await sendThrough({ content: '250 2.0.0 queued as 42' })).toEqual({ kind: 'sent', response: '250 2.0.0 queued as 42' })
  })

  test.each([
    ['greeting', 'greeting', 'connection'],
    ['mail', 'mail', 'recipient'],
    ['rcpt', 'rcpt', 'recipient'],
    ['data', 'data', 'recipient'],
    ['content', 'data', 'recipient'],
  ] as const)('of refusal at %s', async (at, stage, scope) => {
    expect(await sendThrough({ [at]: '451 4.3.0 later' })).toEqual({ kind: 'temporary', stage, scope, code: 451, enhanced: '4.3.0', message: '451 4.3.0 later' })
    expect(await sendThrough({ [at]: '554 5.3.0 never' })).toEqual({ kind: 'permanent', stage, scope, code: 554, enhanced: '5.3.0', message: '554 5.3.0 never', bad_address: false })
    expect(await sendThrough({ [at]: '421 closing' })).toMatchObject({ kind: 'temporary', scope: 'connection', code: 421 })
  })

  test.each([
    ['greeting', 'connect', 'greeting'],
    ['ehlo', 'connect', 'connect'],
    ['mail', 'envelope', 'envelope'],
    ['rcpt', 'envelope', 'envelope'],
    ['data', 'envelope', 'envelope'],
  ] as const)('that never comes at %s', async (at, dropped, silent) => {
    const failure = { kind: 'temporary', scope: 'connection' } as const
    expect(await sendThrough({ [at]: 'drop' })).toMatchObject({ ...failure, stage: dropped })
    expect(await sendThrough({ [at]: 'silence' }, IMPATIENT)).toMatchObject({ ...failure, stage: silent })
  })

  test('to the content that never comes', async () => {
    expect(await sendThrough({ content: 'drop' })).toEqual({ kind: 'uncertain', message: 'Connection closed unexpectedly' })
    expect(await sendThrough({ content: 'silence' }, IMPATIENT)).toEqual({ kind: 'uncertain', message: 'Timeout' })
  })

  test('about our signing in is not about the recipient', async () => {
    expect(await sendThrough({ rcpt: '530 5.7.0 sign in first' })).toMatchObject({ kind: 'permanent', stage: 'rcpt', scope: 'connection', bad_address: false })
  })
})

describe('after 354', () => {
  /** Asks for the content, and then `next`. */
  const asking = (next: (peer: RawPeer) => Promise<void> | void) => raw(async (peer) => {
    peer.say('220 relay')
    for (const reply of ['250 relay', '250 ok', '250 ok', '354 go on']) {
      await peer.hear()
      peer.say(reply)
    }
    await next(peer)
  })

  test('a lost connection is uncertain, however little was read', async () => {
    expect(await poolTo(await asking((peer) => peer.drop())).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' })
    expect(await poolTo(await asking(async (peer) => { await peer.hear(); peer.drop() })).send(ENVELOPE, Buffer.alloc(4_000_000, 'line\r\n'))).toMatchObject({ kind: 'uncertain' })
  })

  test('an answer that is none is uncertain', async () => {
    const odd = async (peer: RawPeer, line: string) => { await peer.hearUntil('.'); peer.say(line) }
    expect(await poolTo(await asking((peer) => odd(peer, '354 go on'))).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' })
    expect(await poolTo(await asking((peer) => odd(peer, 'what?'))).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' })
  })

  test('half an answer is none', async () => {
    const server = await asking(async (peer) => { await peer.hearUntil('.'); peer.say('550-no'); peer.drop() })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' })
  })

  test('a refusal before all was read is an answer, and ends the connection', async () => {
    const server = await asking(async (peer) => { await peer.hear(); peer.say('552 5.3.4 too big') })
    const pool = poolTo(server)
    expect(await pool.send(ENVELOPE, Buffer.alloc(40_000_000, 'line\r\n'))).toMatchObject({ kind: 'permanent', stage: 'data', code: 552, scope: 'recipient' })
    expect(pool.size).toBe(0)
  })

  test('421 says that it was not taken', async () => {
    const server = await asking(async (peer) => { await peer.hearUntil('.'); peer.say('421 4.3.2 closing') })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', stage: 'data', code: 421, scope: 'connection' })
  })
})

describe('a bad address', () => {
  test.each([
    ['550 5.1.1 no such user', true],
    ['550 5.2.1 mailbox disabled', true],
    ['550-5.1.1 The account does not exist.\n550 5.1.1 Look again.', true],
    ['550 no such user (#5.1.1)', true],
    ['556 5.1.10 no mail here', true],
    ['550 no such user', false],
    ['551 gone', false],
    ['553 not allowed', false],
    ['550 5.7.1 spam from 5.1.1.9', false],
    ['550 blocked: 10.5.1.1', false],
    ['552 5.2.2 mailbox full', false],
    ['550 5.1.8 your domain does not exist', false],
    ['550 5.1.0 <news@acme.example>: Sender address rejected', false],
    ['450 4.1.1 look later', false],
  ])('%p: %p', async (reply, bad_address) => {
    const outcome = await poolTo(await raw(relay({ replies: { rcpt: reply } }))).send(ENVELOPE, MESSAGE)
    expect('bad_address' in outcome && outcome.bad_address).toBe(bad_address)
    expect(outcome).toMatchObject({ stage: 'rcpt', scope: 'recipient' })
  })

  test('is known at RCPT only', async () => {
    for (const stage of ['mail', 'data', 'content']) {
      expect(await poolTo(await raw(relay({ replies: { [stage]: '550 5.1.1 no' } }))).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'permanent', bad_address: false })
    }
  })

  test.each(['', 'nobody', 'a@b.example>\r\nRCPT TO:<eve@evil.example', 'a b@c.example', '<a@b.example>'])('%p never leaves', async (to) => {
    const server = await raw(relay())
    expect(await poolTo(server).send({ ...ENVELOPE, to }, MESSAGE)).toMatchObject({ kind: 'permanent', stage: 'rcpt', scope: 'recipient', code: 501, bad_address: false })
    expect(await poolTo(server).send({ ...ENVELOPE, from: to }, MESSAGE)).toMatchObject({ kind: 'permanent', stage: 'mail' })
    expect(server.connections).toBe(0)
  })
})

test('what a server says is kept on one line and cut', async () => {
  const outcome = await poolTo(await raw(relay({ replies: { rcpt: `550-5.7.1 First\x07\x1b[31m line\n550 5.7.1 ${'long '.repeat(400)}` } }))).send(ENVELOPE, MESSAGE)
  const { message } = outcome as { message: string }
  expect(message).toMatch(/^550-5\.7\.1 First \[31m line 5\.7\.1 long [ -~]*$/)
  expect(message).toHaveLength(500)
})

describe('signing in', () => {
  const account = { username: 'acme', password: 'secret' }

  test('works, and a wrong password is about the connection', async () => {
    const server = await sink({ auth: { user: 'acme', password: 'secret' } })
    const pool = poolTo(server, account)
    const wrong = poolTo(server, { ...account, password: 'guess' })
    expect(await Promise.all([pool.send(ENVELOPE, MESSAGE), pool.verify(), wrong.send(ENVELOPE, MESSAGE), wrong.verify()])).toEqual([
      { kind: 'sent', response: expect.stringMatching(/^250 /) },
      { ok: true },
      { kind: 'permanent', stage: 'auth', scope: 'connection', code: 535, enhanced: '5.7.8', message: '535 5.7.8 Authentication credentials invalid', bad_address: false },
      { ok: false, error: '535 5.7.8 Authentication credentials invalid' },
    ])
  })

  test.each([
    ['454 4.7.0 later', 'temporary'],
    ['drop', 'temporary'],
    ['silence', 'temporary'],
  ])('answered by %s', async (auth, kind) => {
    const outcome = await poolTo(await raw(relay({ replies: { auth } })), { ...account, ...(auth === 'silence' ? IMPATIENT : {}) }).send(ENVELOPE, MESSAGE)
    expect(outcome).toMatchObject({ kind, stage: 'auth', scope: 'connection' })
  })

  test('is not left out because the server does not offer it', async () => {
    const heard: string[] = []
    const pool = poolTo(await raw(relay({ replies: { ehlo: '250 relay' }, heard })), account)
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', stage: 'auth', scope: 'connection' })
    expect(heard.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([])
  })
})

describe('TLS', () => {
  const certificate = selfSigned('localhost', '127.0.0.1')
  const other = selfSigned('mail.other.example')

  test.each([
    ['starttls', 'starttls'],
    ['implicit', 'tls'],
  ] as const)('%s: only with a certificate that is trusted and names the host', async (mode, secure) => {
    const [server, misnamed] = await Promise.all([sink({ tls: { mode, certificate } }), sink({ tls: { mode, certificate: other } })])
    const failure = { kind: 'temporary', stage: 'tls', scope: 'connection' }
    const [trusted, unknown, wrong_name, unchecked] = await Promise.all([
      poolTo(server, { secure, tls: { ca: certificate.cert } }).send(ENVELOPE, MESSAGE),
      poolTo(server, { secure }).send(ENVELOPE, MESSAGE),
      poolTo(misnamed, { secure, tls: { ca: other.cert } }).send(ENVELOPE, MESSAGE),
      poolTo(misnamed, { secure, tls: { rejectUnauthorized: false } }).verify(),
    ])
    expect(trusted).toMatchObject({ kind: 'sent' })
    expect(unknown).toMatchObject({ ...failure, message: 'self signed certificate' })
    expect(wrong_name).toMatchObject({ ...failure, message: expect.stringContaining('does not match') })
    expect(unchecked).toEqual({ ok: true })
    expect(server.messages.map((message) => message.raw)).toEqual([MESSAGE])
    expect(misnamed.messages).toEqual([])
  })

  test('starttls goes on with nothing less', async () => {
    const heard: string[] = []
    const pool = poolTo(await raw(relay({ heard })), { secure: 'starttls', username: 'acme', password: 'secret' })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'permanent', stage: 'tls', scope: 'connection' })
    expect(heard.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS'])
  })

  test('and plain do not meet', async () => {
    expect(await poolTo(await raw(relay()), { secure: 'tls' }).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', stage: 'tls', scope: 'connection' })
    const server = await sink({ tls: { mode: 'implicit', certificate } })
    expect(await poolTo(server, IMPATIENT).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', stage: 'greeting', scope: 'connection' })
  })

  test('none is never turned into some', async () => {
    const server = await sink({ tls: { mode: 'starttls', certificate: other } })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
  })
})

describe('the pool', () => {
  test('hands over the very bytes', async () => {
    const server = await sink()
    const [outcome, messages] = await Promise.all([poolTo(server).send(ENVELOPE, MESSAGE), server.waitFor(1)])
    expect(outcome.kind).toBe('sent')
    expect(messages).toEqual([{ from: ENVELOPE.from, to: [ENVELOPE.to], raw: MESSAGE }])
  })

  test('spells domains in ASCII', async () => {
    const heard: string[] = []
    await poolTo(await raw(relay({ heard }))).send({ from: 'news@bücher.example', to: 'ada@exämple.com' }, MESSAGE)
    expect(heard.slice(1, 3)).toEqual(['MAIL FROM:<news@xn--bcher-kva.example>', 'RCPT TO:<ada@xn--exmple-cua.com>'])
  })

  test('uses a connection again, also after a refused recipient', async () => {
    const server = await sink({ onRcpt: (to) => (to === 'bad@example.com' ? { code: 550, text: '5.1.1 no' } : undefined) })
    const pool = poolTo(server)
    for (const to of ['a@example.com', 'bad@example.com', 'b@example.com', 'bad@example.com', 'c@example.com']) await pool.send({ ...ENVELOPE, to }, MESSAGE)
    expect(server.messages.map((message) => message.to[0])).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
    expect(server.connections.total).toBe(1)
    expect(pool.size).toBe(1)
  })

  test('opens no more connections than it may, and no more than it needs', async () => {
    const go = Promise.withResolvers<void>()
    const server = await sink({ onData: () => go.promise })
    const pool = poolTo(server, { max_connections: 3 })
    const sent = Array.from({ length: 12 }, (_, number) => pool.send({ ...ENVELOPE, to: `u${number}@example.com` }, MESSAGE))
    go.resolve()
    expect((await Promise.all(sent)).every((outcome) => outcome.kind === 'sent')).toBe(true)
    expect(server.connections).toMatchObject({ most: 3, total: 3 })
    const small = poolTo(server, { max_connections: 10 })
    await Promise.all([small.send(ENVELOPE, MESSAGE), small.send(ENVELOPE, MESSAGE)])
    expect(small.size).toBe(2)
  })

  test('serves first who came first', async () => {
    const server = await sink()
    const pool = poolTo(server, { max_connections: 1 })
    const settled: number[] = []
    await Promise.all(Array.from({ length: 20 }, (_, number) => pool.send({ ...ENVELOPE, to: `u${number}@example.com` }, MESSAGE).then(() => settled.push(number))))
    const in_order = Array.from({ length: 20 }, (_, number) => number)
    expect(server.messages.map((message) => message.to[0])).toEqual(in_order.map((number) => `u${number}@example.com`))
    expect(settled).toEqual(in_order)
  })

  test('changes a connection after its share of messages', async () => {
    const heard: string[] = []
    const server = await raw(relay({ heard }))
    const pool = poolTo(server, { max_connections: 1, max_messages_per_connection: 2 })
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => pool.send(ENVELOPE, MESSAGE)))
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true)
    expect(server.connections).toBe(3)
    expect(heard.filter((line) => line === 'QUIT')).toHaveLength(2)
  })

  test('closes a connection nobody needs', async () => {
    const said = Promise.withResolvers<void>()
    const server = await raw(async (peer) => {
      const heard: string[] = []
      await relay({ heard })(peer).catch(() => heard.includes('QUIT') && said.resolve())
    })
    const pool = poolTo(server, { idle_timeout_ms: 5 })
    await pool.send(ENVELOPE, MESSAGE)
    await said.promise
    expect(pool.size).toBe(0)
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
  })

  test('does with fewer connections when the server takes no more', async () => {
    const server = await raw((peer, number) => relay(number > 2 ? { replies: { greeting: '421 too many' } } : {})(peer))
    const pool = poolTo(server, { max_connections: 6 })
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => pool.send(ENVELOPE, MESSAGE)))
    expect(outcomes.filter((outcome) => outcome.kind !== 'sent')).toEqual([])
    expect(server.connections).toBe(6)
  })

  test('asks a relay that is down once, not for each of those that wait', async () => {
    const server = await raw(relay({ replies: { greeting: 'silence' } }))
    const pool = poolTo(server, { max_connections: 2, ...IMPATIENT })
    const outcomes = await Promise.all(Array.from({ length: 500 }, () => pool.send(ENVELOPE, MESSAGE)))
    expect(outcomes.every((outcome) => outcome.kind === 'temporary' && outcome.scope === 'connection')).toBe(true)
    expect(server.connections).toBe(2)
    await server.close()
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', stage: 'connect', message: expect.stringContaining('ECONNREFUSED') })
  })

  test('takes another connection when the server had ended the one it kept', async () => {
    for (const mail of ['drop', '421 idle too long']) {
      const proper = relay()
      const server = await raw(async (peer, number) => {
        if (number > 1) return proper(peer)
        let mails = 0
        await relay()({ ...peer, say: (...lines) => peer.say(...lines), hear: async () => {
          const line = await peer.hear()
          if (line.startsWith('MAIL') && (mails += 1) === 2) {
            if (mail === 'drop') peer.drop()
            else peer.say(mail)
            return new Promise<string>(() => {})
          }
          return line
        } })
      })
      const pool = poolTo(server)
      expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
      expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
      expect(server.connections).toBe(2)
    }
  })

  test('notices that a kept connection was ended', async () => {
    const ended = Promise.withResolvers<void>()
    const server = await raw(async (peer, number) => {
      const proper = relay()(peer)
      if (number === 1) void ended.promise.then(() => peer.drop())
      await proper
    })
    const pool = poolTo(server)
    await pool.send(ENVELOPE, MESSAGE)
    ended.resolve()
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
  })

  test('closing ends what is under way, and lets go of what waits', async () => {
    const arrived = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const server = await sink({ onData: () => { arrived.resolve(); return go.promise } })
    const pool = poolTo(server, { max_connections: 1 })
    const under_way = pool.send(ENVELOPE, MESSAGE)
    const waiting = pool.send(ENVELOPE, MESSAGE)
    await arrived.promise
    const closed = pool.close()
    expect(await waiting).toMatchObject({ kind: 'temporary', scope: 'connection' })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', scope: 'connection' })
    go.resolve()
    expect(await under_way).toMatchObject({ kind: 'sent' })
    await closed
    expect(pool.size).toBe(0)
    expect(server.messages).toHaveLength(1)
    await pool.close()
  })

  test('that was never used is closed at once', async () => {
    const pool = createSmtpPool({ host: '127.0.0.1', port: 1, secure: 'none' })
    await pool.close()
    expect(pool.size).toBe(0)
  })

  test('can be asked whether the relay is there', async () => {
    const server = await raw(relay())
    expect(await poolTo(server).verify()).toEqual({ ok: true })
    await server.close()
    expect(await poolTo(server).verify()).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') })
    expect(await poolTo({ host: 'relay.invalid', port: 25 }).verify()).toMatchObject({ ok: false })
  })
})

describe('the sink', () => {
  test('cuts the connection where it is told to', async () => {
    const servers = await Promise.all([sink({ onConnect: () => 'drop' }), sink({ onMail: () => 'drop' }), sink({ onRcpt: () => 'drop' }), sink({ onData: () => 'drop' })])
    const outcomes = await Promise.all(servers.map((server) => poolTo(server).send(ENVELOPE, MESSAGE)))
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['temporary', 'temporary', 'temporary', 'uncertain'])
    expect(servers.flatMap((server) => server.messages)).toEqual([])
  })

  test('answers with what it is told, to a client that does not send ahead too', async () => {
    const no = { code: 554, text: '5.7.1 no' }
    const servers = await Promise.all([sink({ onConnect: () => no }), sink({ onMail: () => no, pipelining: false }), sink({ onData: () => no, pipelining: false })])
    const outcomes = await Promise.all(servers.map((server) => poolTo(server).send(ENVELOPE, MESSAGE)))
    expect(outcomes).toMatchObject(['greeting', 'mail', 'data'].map((stage) => ({ kind: 'permanent', stage, code: 554, enhanced: '5.7.1' })))
  })
})
