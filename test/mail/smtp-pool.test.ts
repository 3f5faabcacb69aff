import { expect, test } from 'bun:test'
import type { SmtpOutcome } from '../../src/mail/smtp-outcome.ts'
import { createSmtpPool } from '../../src/mail/smtp-pool.ts'
import { type Hostile, startHostileRelay } from '../support/hostile-relay.ts'
import {
  closeAfterEach,
  ENVELOPE,
  MESSAGE,
  NO_GREETING,
  poolTo,
  raw,
  type Relay,
  relay,
  sink,
} from '../support/smtp-relay.ts'

closeAfterEach()

test('The pool hands a message over byte for byte.', async () => {
  const server = await sink()
  const [outcome, messages] = await Promise.all([poolTo(server).send(ENVELOPE, MESSAGE), server.waitFor(1)])
  expect(outcome.kind).toBe('sent')
  expect(messages).toEqual([{ from: ENVELOPE.from, to: [ENVELOPE.to], raw: MESSAGE }])
})

test('The pool spells domains in ASCII.', async () => {
  const heard: string[] = []
  await poolTo(await raw(relay({ heard }))).send({ from: 'news@bücher.example', to: 'ada@exämple.com' }, MESSAGE)
  expect(heard.slice(1, 3)).toEqual(['MAIL FROM:<news@xn--bcher-kva.example>', 'RCPT TO:<ada@xn--exmple-cua.com>'])
})

test('The pool asks a relay for SMTPUTF8 where an address needs it, and only there.', async () => {
  const heard: string[] = []
  const pool = poolTo(await raw(relay({ heard, utf8: true })), { max_connections: 1 })
  for (const to of ['jörg@exämple.com', 'ada@exämple.com'])
    expect((await pool.send({ ...ENVELOPE, to }, MESSAGE)).kind).toBe('sent')
  expect(
    heard.filter((line) => /^(?:MAIL|RCPT)/.test(line)).map((line) => Buffer.from(line, 'latin1').toString()),
  ).toEqual([
    'MAIL FROM:<news@acme.example> SMTPUTF8',
    'RCPT TO:<jörg@xn--exmple-cua.com>',
    'MAIL FROM:<news@acme.example>',
    'RCPT TO:<ada@xn--exmple-cua.com>',
  ])
})

test('A relay without SMTPUTF8 is not asked about an address that needs it; the connection continues.', async () => {
  const heard: string[] = []
  const server = await raw(relay({ heard }))
  const pool = poolTo(server, { max_connections: 1 })
  const outcomes = await Promise.all(
    ['jörg@example.com', 'ada@example.com', '李@example.com', 'bo@example.com'].map((to) =>
      pool.send({ ...ENVELOPE, to }, MESSAGE),
    ),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(['permanent', 'sent', 'permanent', 'sent'])
  expect(outcomes[0]).toEqual({
    kind: 'permanent',
    scope: 'recipient',
    stage: 'rcpt',
    code: 553,
    enhanced: '5.6.7',
    bad_address: false,
    message: 'The relay does not offer SMTPUTF8, so it accepts only ASCII letters before the @ of a recipient.',
  })
  expect(await pool.send({ from: 'jörg@acme.example', to: 'ada@example.com' }, MESSAGE)).toMatchObject({
    kind: 'permanent',
    stage: 'mail',
    bad_address: false,
  })
  expect(heard.filter((line) => !/^(?:EHLO|DATA)/.test(line))).toEqual(
    ['ada', 'bo'].flatMap((name) => [`MAIL FROM:<${ENVELOPE.from}>`, `RCPT TO:<${name}@example.com>`]),
  )
  expect(server.connections).toBe(1)
})

test('An address that would break the dialog is refused without a connection.', async () => {
  const server = await raw(relay({}))
  const pool = poolTo(server)
  const refused = {
    ...{ kind: 'permanent', scope: 'recipient', code: 501, bad_address: false },
    message: 'Not an address that mail can be sent to or from.',
  }
  for (const address of ['', 'ada', '@x.example', 'ada@', 'a da@x.example', 'ada@x.example>', 'a\r\nDATA@x.example']) {
    expect(await pool.send({ ...ENVELOPE, to: address }, MESSAGE)).toEqual({ ...refused, stage: 'rcpt' } as never)
    expect(await pool.send({ from: address, to: address }, MESSAGE)).toEqual({ ...refused, stage: 'mail' } as never)
  }
  expect(server.connections).toBe(0)
})

test('The pool reuses a connection, also after a refusal.', async () => {
  const heard: string[] = []
  const replies: Relay['replies'] = {}
  const server = await raw(relay({ replies, heard }))
  const pool = poolTo(server)
  const kinds: string[] = []
  for (const rcpt of ['250 ok', '550 5.1.1 no', '450 later', '250 ok']) {
    replies.rcpt = rcpt
    kinds.push((await pool.send(ENVELOPE, MESSAGE)).kind)
  }
  expect(kinds).toEqual(['sent', 'permanent', 'temporary', 'sent'])
  expect(heard.filter((line) => line === 'RSET')).toHaveLength(2)
  expect(server.connections).toBe(1)
  expect(pool.size).toBe(1)
})

test.each(['drop', '500 what?'])('The pool opens another connection when RSET is answered by %s.', async (reset) => {
  const server = await raw(relay({ replies: { rcpt: '550 no', reset } }))
  const pool = poolTo(server, { max_connections: 1 })
  const outcomes = await Promise.all([
    pool.send(ENVELOPE, MESSAGE),
    pool.send(ENVELOPE, MESSAGE),
    pool.send(ENVELOPE, MESSAGE),
  ])
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(['permanent', 'permanent', 'permanent'])
  expect(server.connections).toBe(3)
})

test('The pool opens no more connections than it may, and no more than it needs.', async () => {
  const go = Promise.withResolvers<void>()
  let begun = 0
  const server = await sink({
    onData() {
      if (++begun === 3) go.resolve() // all that there may be are taken at once
      return go.promise
    },
  })
  const pool = poolTo(server, { max_connections: 3 })
  const sent = Array.from({ length: 12 }, (_, number) =>
    pool.send({ ...ENVELOPE, to: `u${number}@example.com` }, MESSAGE),
  )
  expect((await Promise.all(sent)).every((outcome) => outcome.kind === 'sent')).toBe(true)
  expect(server.connections).toMatchObject({ most: 3, total: 3 })
  const small = poolTo(server, { max_connections: 10 })
  await Promise.all([small.send(ENVELOPE, MESSAGE), small.send(ENVELOPE, MESSAGE)])
  expect(small.size).toBe(2)
})

test('The pool sends messages in the order of the calls.', async () => {
  const server = await sink()
  const pool = poolTo(server, { max_connections: 1 })
  const settled: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      pool.send({ ...ENVELOPE, to: `u${number}@example.com` }, MESSAGE).then(() => settled.push(number)),
    ),
  )
  const in_order = Array.from({ length: 20 }, (_, number) => number)
  expect(server.messages.map((message) => message.to[0])).toEqual(in_order.map((number) => `u${number}@example.com`))
  expect(settled).toEqual(in_order)
})

test('The pool replaces a connection after its maximum number of messages.', async () => {
  const heard: string[] = []
  const server = await raw(relay({ heard }))
  const pool = poolTo(server, { max_connections: 1, max_messages_per_connection: 2 })
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => pool.send(ENVELOPE, MESSAGE)))
  expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true)
  expect(server.connections).toBe(3)
  expect(heard.filter((line) => line === 'QUIT')).toHaveLength(2)
})

test('The pool closes an idle connection.', async () => {
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

test('The pool continues with fewer connections when the server accepts no more.', async () => {
  const server = await raw((peer, number) => relay(number > 2 ? { replies: { greeting: '421 too many' } } : {})(peer))
  const pool = poolTo(server, { max_connections: 6 })
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => pool.send(ENVELOPE, MESSAGE)))
  expect(outcomes.filter((outcome) => outcome.kind !== 'sent')).toEqual([])
  expect(server.connections).toBe(6)
})

test('The pool tries an unreachable relay once, not once for each waiting message.', async () => {
  const server = await raw(relay({ replies: { greeting: 'silence' } }))
  const pool = poolTo(server, { max_connections: 2, ...NO_GREETING })
  const outcomes = await Promise.all(Array.from({ length: 500 }, () => pool.send(ENVELOPE, MESSAGE)))
  expect(outcomes.every((outcome) => outcome.kind === 'temporary' && outcome.scope === 'connection')).toBe(true)
  expect(server.connections).toBe(2)
  await server.close()
  expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({
    kind: 'temporary',
    stage: 'connect',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test('The pool opens another connection when the server has closed an idle one.', async () => {
  for (const mail of ['drop', '421 idle too long']) {
    const proper = relay()
    const server = await raw(async (peer, number) => {
      if (number > 1) return proper(peer)
      let mails = 0
      await relay()({
        ...peer,
        say: (...lines) => peer.say(...lines),
        hear: async () => {
          const line = await peer.hear()
          if (line.startsWith('MAIL') && (mails += 1) === 2) {
            if (mail === 'drop') peer.drop()
            else peer.say(mail)
            return new Promise<string>(() => {})
          }
          return line
        },
      })
    })
    const pool = poolTo(server)
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
    expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'sent' })
    expect(server.connections).toBe(2)
  }
})

test('The pool tries a message again once, however many connections the server closes.', async () => {
  const go = Promise.withResolvers<void>()
  let begun = 0
  const server = await raw(async (peer) => {
    let mails = 0
    await relay()({
      ...peer,
      say: (...lines) => peer.say(...lines),
      hear: async () => {
        const line = await peer.hear()
        if (!line.startsWith('MAIL')) return line
        if ((mails += 1) === 2) peer.drop()
        else if (++begun === 3) go.resolve()
        await go.promise // the first three messages take a connection each
        return mails === 2 ? new Promise<string>(() => {}) : line
      },
    })
  })
  const pool = poolTo(server, { max_connections: 3 })
  await Promise.all([1, 2, 3].map(() => pool.send(ENVELOPE, MESSAGE)))
  expect(pool.size).toBe(3)
  expect(await pool.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary' })
  expect(server.connections).toBe(3)
})

test('A message that is the first of its connection is not tried again when the server closes it.', async () => {
  const server = await raw((peer) =>
    relay()({
      ...peer,
      say: (...lines) => peer.say(...lines),
      hear: async () => {
        const line = await peer.hear()
        if (!line.startsWith('MAIL')) return line
        peer.drop()
        return new Promise<string>(() => {})
      },
    }),
  )
  expect(await poolTo(server).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'temporary', scope: 'connection' })
  expect(server.connections).toBe(1)
})

test('The pool notices that an idle connection was closed.', async () => {
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

test('Closing finishes messages in flight and refuses waiting ones as temporary.', async () => {
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const server = await sink({
    onData: () => {
      arrived.resolve()
      return go.promise
    },
  })
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

test('A pool that was never used is closed at once.', async () => {
  const pool = createSmtpPool({ host: '127.0.0.1', port: 1, secure: 'none' })
  await pool.close()
  expect(pool.size).toBe(0)
})

test('The pool can test whether the relay is reachable.', async () => {
  const server = await raw(relay())
  expect(await poolTo(server).verify()).toEqual({ ok: true })
  await server.close()
  expect(await poolTo(server).verify()).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') })
  expect(await poolTo({ host: 'relay.invalid', port: 25 }).verify()).toMatchObject({ ok: false })
})

test('The sink cuts the connection at the given command.', async () => {
  const servers = await Promise.all([
    sink({ onConnect: () => 'drop' }),
    sink({ onMail: () => 'drop' }),
    sink({ onRcpt: () => 'drop' }),
    sink({ onData: () => 'drop' }),
  ])
  const outcomes = await Promise.all(servers.map((server) => poolTo(server).send(ENVELOPE, MESSAGE)))
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(['temporary', 'temporary', 'temporary', 'uncertain'])
  expect(servers.flatMap((server) => server.messages)).toEqual([])
})

test('The sink answers with the given replies, also without pipelining.', async () => {
  const no = { code: 554, text: '5.7.1 no' }
  const servers = await Promise.all([
    sink({ onConnect: () => no }),
    sink({ onMail: () => no, pipelining: false }),
    sink({ onData: () => no, pipelining: false }),
  ])
  const outcomes = await Promise.all(servers.map((server) => poolTo(server).send(ENVELOPE, MESSAGE)))
  expect(outcomes).toMatchObject(
    ['greeting', 'mail', 'data'].map((stage) => ({ kind: 'permanent', stage, code: 554, enhanced: '5.7.1' })),
  )
})

test.each<[string, Hostile, number, SmtpOutcome['kind'], SmtpOutcome['kind']]>([
  ['that never greets', 'greeting', 1, 'temporary', 'temporary'],
  ['that hangs after RCPT', 'rcpt', 1, 'temporary', 'temporary'],
  ['that has not read all of the content', 'reading', 1_000_000, 'temporary', 'temporary'],
  ['that has the content', 'content', 1, 'uncertain', 'temporary'],
  ['that answers slowly', 'dripping', 1, 'uncertain', 'temporary'],
])(
  'At the end of the process the pool closes its connections to a relay %s.',
  async (_, hostile, lines, first, waiting) => {
    const server = await startHostileRelay(hostile)
    const ending = new AbortController()
    const pool = poolTo({ host: '127.0.0.1', port: server.port }, { max_connections: 1, ending: ending.signal })
    const message = Buffer.from('Subject: x\r\n\r\n' + 'The tide waits for nobody.\r\n'.repeat(lines))
    const outcomes = Promise.all([pool.send(ENVELOPE, message), pool.send(ENVELOPE, message)])
    await server.reached
    // What the relay does not read stays in the process once the buffers of the system are full.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    const closed = pool.close()
    ending.abort()
    expect((await outcomes).map(({ kind }) => kind)).toEqual([first, waiting])
    await closed
    expect(pool.size).toBe(0)
    server.close()
  },
)
