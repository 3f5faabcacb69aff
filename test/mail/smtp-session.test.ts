import { describe, expect, test } from 'bun:test'
import type { SmtpOptions } from '../../src/mail/smtp-pool.ts'
import { passes, reset, type Session } from '../../src/mail/smtp-session.ts'
import {
  closeAfterEach,
  ENVELOPE,
  MESSAGE,
  NO_ANSWER,
  NO_GREETING,
  poolTo,
  raw,
  type Relay,
  relay,
  sink,
} from '../support/smtp-relay.ts'
import { type RawPeer, selfSigned } from '../support/smtp-sink.ts'

closeAfterEach()

describe.each([{ pipelining: true }, { pipelining: false }])('an answer (%o)', ({ pipelining }) => {
  const sendThrough = async (replies: Relay['replies'], options?: Partial<SmtpOptions>) =>
    poolTo(await raw(relay({ replies, pipelining })), options).send(ENVELOPE, MESSAGE)

  test('An acceptance says what the server answered.', async () => {
    expect(await sendThrough({ content: '250 2.0.0 queued as 42' })).toEqual({
      kind: 'sent',
      response: '250 2.0.0 queued as 42',
    })
  })

  test.each([
    ['greeting', 'greeting', 'connection'],
    ['mail', 'mail', 'recipient'],
    ['rcpt', 'rcpt', 'recipient'],
    ['data', 'data', 'recipient'],
    ['content', 'data', 'recipient'],
  ] as const)('A refusal has the code and the stage of the answer at %s.', async (at, stage, scope) => {
    expect(await sendThrough({ [at]: '451 4.3.0 later' })).toEqual({
      kind: 'temporary',
      stage,
      scope,
      code: 451,
      enhanced: '4.3.0',
      message: '451 4.3.0 later',
    })
    expect(await sendThrough({ [at]: '554 5.3.0 never' })).toEqual({
      kind: 'permanent',
      stage,
      scope,
      code: 554,
      enhanced: '5.3.0',
      message: '554 5.3.0 never',
      bad_address: false,
    })
    expect(await sendThrough({ [at]: '421 closing' })).toMatchObject({
      kind: 'temporary',
      scope: 'connection',
      code: 421,
    })
  })

  test.each([
    ['greeting', 'connect'],
    ['ehlo', 'connect'],
    ['mail', 'envelope'],
    ['rcpt', 'envelope'],
    ['data', 'envelope'],
  ] as const)('A connection that is lost before the content is temporary: %s.', async (at, stage) => {
    expect(await sendThrough({ [at]: 'drop' })).toMatchObject({
      kind: 'temporary',
      scope: 'connection',
      stage,
      message: 'Connection closed unexpectedly',
    })
  })

  test('A connection that is lost after the content leaves the message uncertain.', async () => {
    expect(await sendThrough({ content: 'drop' })).toEqual({
      kind: 'uncertain',
      message: 'Connection closed unexpectedly',
    })
  })

  test('An answer that never comes has the outcome of a lost connection.', async () => {
    const failure = { kind: 'temporary', scope: 'connection' }
    expect(
      await Promise.all([
        sendThrough({ greeting: 'silence' }, NO_GREETING),
        sendThrough({ ehlo: 'silence' }, NO_ANSWER),
        sendThrough({ mail: 'silence' }, NO_ANSWER),
        sendThrough({ rcpt: 'silence' }, NO_ANSWER),
        sendThrough({ data: 'silence' }, NO_ANSWER),
        sendThrough({ content: 'silence' }, NO_ANSWER),
      ]),
    ).toMatchObject([
      { ...failure, stage: 'greeting' },
      { ...failure, stage: 'connect' },
      { ...failure, stage: 'envelope' },
      { ...failure, stage: 'envelope' },
      { ...failure, stage: 'envelope' },
      { kind: 'uncertain', message: 'Timeout' },
    ])
  })

  test('A request to sign in concerns the connection, unless it answers RCPT.', async () => {
    expect(await sendThrough({ mail: '530 5.7.0 sign in first' })).toMatchObject({
      kind: 'permanent',
      stage: 'mail',
      scope: 'connection',
      bad_address: false,
    })
    expect(await sendThrough({ rcpt: '530 5.7.0 not for this one' })).toMatchObject({
      kind: 'permanent',
      stage: 'rcpt',
      scope: 'recipient',
      bad_address: false,
    })
  })
})

describe('after 354', () => {
  /** Asks for the content, and then `next`. */
  const asking = (next: (peer: RawPeer) => Promise<void> | void) =>
    raw(async (peer) => {
      peer.say('220 relay')
      for (const reply of ['250 relay', '250 ok', '250 ok', '354 go on']) {
        await peer.hear()
        peer.say(reply)
      }
      await next(peer)
    })

  test('A lost connection makes the outcome uncertain, even when the server read almost nothing.', async () => {
    expect(await poolTo(await asking((peer) => peer.drop())).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'uncertain',
    })
    expect(
      await poolTo(
        await asking(async (peer) => {
          await peer.hear()
          peer.drop()
        }),
      ).send(ENVELOPE, Buffer.alloc(4_000_000, 'line\r\n')),
    ).toMatchObject({ kind: 'uncertain' })
  })

  test('A relay that asks for content although it refused the recipient gets a lone dot.', async () => {
    const contents: string[][] = []
    const server = await raw(async (peer) => {
      peer.say('220 relay')
      for (const reply of ['250-relay\r\n250 PIPELINING', '250 ok', '550 5.1.1 who?', '354 go on']) {
        await peer.hear()
        peer.say(reply)
      }
      contents.push(await peer.hearUntil('.'))
      peer.say('554 nobody')
      for (;;) {
        const command = await peer.hear()
        peer.say(command === 'DATA' ? '354 go on' : '250 ok')
        if (command !== 'DATA') continue
        contents.push(await peer.hearUntil('.'))
        peer.say('250 taken')
      }
    })
    const pool = poolTo(server, { max_connections: 1 })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'permanent', stage: 'rcpt', bad_address: true })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
    expect(contents.map((lines) => lines.length > 0)).toEqual([false, true])
    expect(server.connections).toBe(1)
  })

  test('A malformed answer makes the outcome uncertain.', async () => {
    const odd = async (peer: RawPeer, line: string) => {
      await peer.hearUntil('.')
      peer.say(line)
    }
    expect(await poolTo(await asking((peer) => odd(peer, '354 go on'))).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'uncertain',
    })
    expect(await poolTo(await asking((peer) => odd(peer, 'what?'))).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'uncertain',
    })
  })

  test('Half an answer makes the outcome uncertain.', async () => {
    const server = await asking(async (peer) => {
      await peer.hearUntil('.')
      peer.say('550-no')
      peer.drop()
    })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' })
  })

  test('A refusal before the whole content was read counts, and ends the connection.', async () => {
    const server = await asking(async (peer) => {
      await peer.hear()
      peer.say('552 5.3.4 too big')
    })
    const pool = poolTo(server)
    expect(await pool.send(ENVELOPE, Buffer.alloc(40_000_000, 'line\r\n'))).toMatchObject({
      kind: 'permanent',
      stage: 'data',
      code: 552,
      scope: 'recipient',
    })
    expect(pool.size).toBe(0)
  })

  test('A server whose answer never ends is disconnected.', async () => {
    const server = await asking(async (peer) => {
      await peer.hearUntil('.')
      for (;;) {
        peer.say('250-wait')
        await Promise.race([Bun.sleep(10), peer.hear()])
      }
    })
    // Long enough for a busy machine to take the message.
    const pool = poolTo(server, { message_timeout_ms: 1_000 })
    expect(await pool.send(ENVELOPE, MESSAGE)).toEqual({ kind: 'uncertain', message: 'Timeout' })
    expect(pool.size).toBe(0)
  })

  test('The answer 421 means that the message was not accepted.', async () => {
    const server = await asking(async (peer) => {
      await peer.hearUntil('.')
      peer.say('421 4.3.2 closing')
    })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'temporary',
      stage: 'data',
      code: 421,
      scope: 'connection',
    })
  })
})

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
])('The reply %p tells of a bad address: %p.', async (reply, bad_address) => {
  const outcome = await poolTo(await raw(relay({ replies: { rcpt: reply } }))).send(ENVELOPE, MESSAGE)
  expect('bad_address' in outcome && outcome.bad_address).toBe(bad_address)
  expect(outcome).toMatchObject({ stage: 'rcpt', scope: 'recipient' })
})

test('A bad address is recognized only in the answer to RCPT.', async () => {
  for (const stage of ['mail', 'data', 'content']) {
    expect(
      await poolTo(await raw(relay({ replies: { [stage]: '550 5.1.1 no' } }))).send(ENVELOPE, MESSAGE),
    ).toMatchObject({ kind: 'permanent', bad_address: false })
  }
})

test.each(['', 'nobody', 'a@b.example>\r\nRCPT TO:<eve@evil.example', 'a b@c.example', '<a@b.example>'])(
  'The address %p is refused before anything is sent.',
  async (to) => {
    const server = await raw(relay())
    expect(await poolTo(server).send({ ...ENVELOPE, to }, MESSAGE)).toMatchObject({
      kind: 'permanent',
      stage: 'rcpt',
      scope: 'recipient',
      code: 501,
      bad_address: false,
    })
    expect(await poolTo(server).send({ ...ENVELOPE, from: to }, MESSAGE)).toMatchObject({
      kind: 'permanent',
      stage: 'mail',
    })
    expect(server.connections).toBe(0)
  },
)

test('An answer of the server is stored as one line of limited length.', async () => {
  const outcome = await poolTo(
    await raw(relay({ replies: { rcpt: `550-5.7.1 First\x07\x1b[31m line\n550 5.7.1 ${'long '.repeat(400)}` } })),
  ).send(ENVELOPE, MESSAGE)
  const { message } = outcome as { message: string }
  expect(message).toMatch(/^550-5\.7\.1 First \[31m line 5\.7\.1 long [ -~]*$/)
  expect(message).toHaveLength(500)
})

test('A gate is passed only while the attempt lasts, and begins nothing after it.', async () => {
  const asked: string[] = []
  const gate = (may_go: boolean, begins = true) => ({
    mayGo: async () => may_go,
    begin: () => asked.push('begun') > 0 && begins,
  })
  expect(await passes(undefined)).toBe(true)
  expect([await passes(gate(false)), await passes(gate(true), () => true)]).toEqual([false, false])
  expect(asked).toEqual([])
  expect([await passes(gate(true)), await passes(gate(true, false), () => false)]).toEqual([true, false])
  expect(asked).toEqual(['begun', 'begun'])
})

test('An attempt that ends while its gate is asked never begins to hand over.', async () => {
  const asked = Promise.withResolvers<void>()
  const end = Promise.withResolvers<boolean>()
  let begun = 0
  const gate = {
    mayGo: () => {
      asked.resolve()
      return end.promise
    },
    begin: () => ++begun > 0,
  }
  const server = await raw(async (peer) => {
    void asked.promise.then(() => peer.drop())
    await relay()(peer)
  })
  const pool = poolTo(server)
  const outcome = pool.send(ENVELOPE, MESSAGE, gate)
  expect(await outcome).toMatchObject({ kind: 'temporary', scope: 'connection' })
  end.resolve(true)
  await pool.close()
  expect(begun).toBe(0)
})

test('A session is reset once the server says so, and only while it lasts.', async () => {
  const resetWith = (error: Error | null, gone: boolean) => {
    const session = { gone: false, message_timeout_ms: 60_000, end_step: null } as Session
    const answer = (done: (error: Error | null) => void) => {
      session.gone = gone
      done(error)
    }
    return reset(Object.assign(session, { connection: { reset: answer } as Session['connection'] }))
  }
  expect(await resetWith(null, false)).toBe(true)
  expect(await resetWith(null, true)).toBe(false)
  expect(await resetWith(new Error('421 closing'), false)).toBe(false)
})

describe('signing in', () => {
  const account = { username: 'acme', password: 'secret' }

  test('Signing in works, and a wrong password is about the connection.', async () => {
    const server = await sink({ auth: { user: 'acme', password: 'secret' } })
    const pool = poolTo(server, account)
    const wrong = poolTo(server, { ...account, password: 'guess' })
    expect(
      await Promise.all([pool.send(ENVELOPE, MESSAGE), pool.verify(), wrong.send(ENVELOPE, MESSAGE), wrong.verify()]),
    ).toEqual([
      { kind: 'sent', response: expect.stringMatching(/^250 /) },
      { ok: true },
      {
        kind: 'permanent',
        stage: 'auth',
        scope: 'connection',
        code: 535,
        enhanced: '5.7.8',
        message: '535 5.7.8 Authentication credentials invalid',
        bad_address: false,
      },
      { ok: false, error: '535 5.7.8 Authentication credentials invalid' },
    ])
  })

  test.each([
    ['454 4.7.0 later', 'temporary'],
    ['drop', 'temporary'],
    ['silence', 'temporary'],
  ])('A login that is answered by %s fails for now.', async (auth, kind) => {
    const outcome = await poolTo(await raw(relay({ replies: { auth } })), {
      ...account,
      ...(auth === 'silence' ? NO_ANSWER : {}),
    }).send(ENVELOPE, MESSAGE)
    expect(outcome).toMatchObject({ kind, stage: 'auth', scope: 'connection' })
  })

  test('Signing in is required even when the server does not offer it.', async () => {
    const heard: string[] = []
    const pool = poolTo(await raw(relay({ replies: { ehlo: '250 relay' }, heard })), account)
    expect(await pool.send(ENVELOPE, MESSAGE)).toEqual({
      ...{ kind: 'temporary', stage: 'auth', scope: 'connection' },
      message: 'The server does not let anyone sign in without encryption.',
    })
    expect(heard.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([])
  })
})

describe('TLS', () => {
  const certificate = selfSigned('localhost', '127.0.0.1')
  const other = selfSigned('mail.other.example')

  test.each([
    ['starttls', 'starttls'],
    ['implicit', 'tls'],
  ] as const)('A connection with %s needs a trusted certificate for the host.', async (mode, secure) => {
    const [server, misnamed] = await Promise.all([
      sink({ tls: { mode, certificate } }),
      sink({ tls: { mode, certificate: other } }),
    ])
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

  test('A connection with starttls fails without encryption.', async () => {
    const heard: string[] = []
    const pool = poolTo(await raw(relay({ heard })), { secure: 'starttls', username: 'acme', password: 'secret' })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'permanent', stage: 'tls', scope: 'connection' })
    expect(heard.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS'])
  })

  test('TLS and plain text are not mixed up.', async () => {
    expect(await poolTo(await raw(relay()), { secure: 'tls' }).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'temporary',
      stage: 'tls',
      scope: 'connection',
    })
    const server = await sink({ tls: { mode: 'implicit', certificate } })
    expect(await poolTo(server, NO_GREETING).send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'temporary',
      stage: 'greeting',
      scope: 'connection',
    })
  })

  test('A connection with none never encrypts.', async () => {
    const server = await sink({ tls: { mode: 'starttls', certificate: other } })
    expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
  })
})

describe('a peer of a relay that a project names', () => {
  const OUT_OF_REACH = {
    kind: 'temporary',
    scope: 'connection',
    stage: 'connect',
    message: 'The server could not be reached.',
  }
  const here = { locate: async () => '127.0.0.1' }
  const outcome = async (script: Parameters<typeof raw>[0], options: Partial<SmtpOptions> = here) =>
    poolTo(await raw(script), options).send(ENVELOPE, MESSAGE)
  const says =
    (...lines: string[]) =>
    (peer: RawPeer) =>
      peer.say(...lines)

  test('Of a relay that is in no private network, the reason is told.', async () => {
    const away = { locate: async () => '192.0.2.1', connect_timeout_ms: 1 }
    const outcome = await poolTo(await raw(() => {}), away).send(ENVELOPE, MESSAGE)
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'connect' })
    expect('message' in outcome && outcome.message).not.toBe(OUT_OF_REACH.message)
  })

  test('A peer in a private network is told alike, whether closed, silent, or of another protocol.', async () => {
    const closed = await raw(() => {})
    await closed.close()
    expect(await poolTo(closed, here).send(ENVELOPE, MESSAGE)).toEqual(OUT_OF_REACH as never)
    expect(await outcome(() => {}, { ...here, ...NO_GREETING })).toEqual(OUT_OF_REACH as never)
    expect(await outcome(says('SSH-2.0-OpenSSH_9.9'))).toEqual(OUT_OF_REACH as never)
    expect(await outcome(says('-ERR unknown command'))).toEqual(OUT_OF_REACH as never)
    expect(await outcome(says('530 Login here first'))).toEqual(OUT_OF_REACH as never)
    expect(await outcome(relay({ replies: { greeting: '220 ftp', ehlo: '500 ftp only' } }))).toEqual(
      OUT_OF_REACH as never,
    )
    expect(await outcome(says('220 relay'), { ...here, secure: 'tls' })).toEqual(OUT_OF_REACH as never)
  })

  test('A failed attempt at a private address takes the same time, whatever answers there.', async () => {
    const closed = await raw(() => {})
    await closed.close()
    const [unreached_ms, began] = [150, performance.now()]
    const even = { ...here, unreached_ms }
    const took = async (attempt: Promise<unknown>): Promise<number> => {
      expect(await attempt).toEqual(OUT_OF_REACH)
      return performance.now() - began
    }
    const all = [
      took(poolTo(closed, even).send(ENVELOPE, MESSAGE)),
      took(outcome(() => {}, even)),
      took(outcome(says('SSH-2.0-OpenSSH_9.9'), even)),
      took(outcome(says('530 Login here first'), even)),
    ]
    for (const ms of await Promise.all(all)) expect(ms).toBeGreaterThanOrEqual(unreached_ms - 5)
  })

  test('A peer in a private network that speaks SMTP is quoted.', async () => {
    const mail = relay({ replies: { mail: '451 later' } })
    expect(await outcome(mail)).toMatchObject({ stage: 'mail', message: '451 later' })
  })

  test('A peer that does not speak SMTP is never quoted, wherever it is.', async () => {
    for (const greeting of ['SSH-2.0-OpenSSH_9.9', '* OK IMAP4rev1', 'HTTP/1.1 400 Bad Request', '999 secret'])
      expect(await outcome(says(greeting), {})).toMatchObject({
        scope: 'connection',
        message: 'The server does not speak SMTP.',
      })
  })
})
