/**
 * A small SMTP server that keeps whom each message was for: for tests and measurements of many messages. It answers at
 * once, or after uneven delays from a seed.
 */
export interface FastSink {
  host: string
  port: number
  /** The recipient of each message taken, in order. */
  recipients: string[]
  /** When each was taken, by `performance.now()`. */
  taken_at: number[]
  /** The messages to those whose messages are kept. */
  contents: Map<string, string>
  /** Resolves as soon as so many were taken. */
  waitFor(count: number): Promise<void>
  close(): void
}

interface SinkChoices {
  /** The reply to a recipient who is refused; undefined for the others. */
  refusalOf?(recipient: string): string | undefined
  /** Whether the message to a recipient is kept. */
  keeps?(recipient: string): boolean
}

interface Talk {
  pending: string
  inContent: boolean
  recipient: string
}

const GREETING = '220 sink\r\n'

/** Delays of 100 to 400 ms, the same at each run (a linear congruential generator). */
export function unevenDelays(seed = 1): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return 100 + (state / 2 ** 32) * 300
  }
}

/**
 * @param delay_ms how long the answer to the next message takes, forever where it is Infinity; a message counts as
 *   taken when it has arrived
 * @param port any free one where it is 0
 */
export function startFastSink(
  delay_ms: (() => number) | null = null,
  port = 0,
  { refusalOf = () => undefined, keeps = () => false }: SinkChoices = {},
): FastSink {
  const recipients: string[] = []
  const taken_at: number[] = []
  const contents = new Map<string, string>()
  const waiters: { count: number; resolve(): void }[] = []
  const taken = (recipient: string, content: string): void => {
    if (content !== '') contents.set(recipient, content)
    recipients.push(recipient)
    taken_at.push(performance.now())
    for (const waiter of waiters.filter(({ count }) => recipients.length >= count)) {
      waiters.splice(waiters.indexOf(waiter), 1)
      waiter.resolve()
    }
  }
  const server = Bun.listen<Talk>({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.data = { pending: '', inContent: false, recipient: '' }
        socket.write(GREETING)
      },
      data(socket, bytes) {
        const before = recipients.length
        const answers = hear(socket.data, bytes.toString('latin1'), { taken, refusalOf, keeps })
        if (!answers) return
        const wait_ms = delay_ms && recipients.length > before ? delay_ms() : 0
        if (wait_ms === 0) socket.write(answers)
        else if (wait_ms < Infinity) setTimeout(() => socket.write(answers), wait_ms)
      },
    },
  })
  return {
    host: '127.0.0.1',
    port: server.port,
    recipients,
    taken_at,
    contents,
    waitFor: (count) =>
      new Promise((resolve) => {
        if (recipients.length >= count) resolve()
        else waiters.push({ count, resolve })
      }),
    close: () => server.stop(true),
  }
}

interface Rules extends Required<SinkChoices> {
  taken(recipient: string, content: string): void
}

/** Works off what has arrived and answers it (RFC 5321, with PIPELINING). */
function hear(talk: Talk, arrived: string, { taken, refusalOf, keeps }: Rules): string {
  let text = talk.pending + arrived
  let answers = ''
  for (;;) {
    const end = text.indexOf(talk.inContent ? '\r\n.\r\n' : '\r\n')
    if (end < 0) break
    if (talk.inContent) {
      const content = keeps(talk.recipient) ? text.slice(0, end) : ''
      text = text.slice(end + 5)
      talk.inContent = false
      taken(talk.recipient, content)
      answers += '250 2.0.0 taken\r\n'
      continue
    }
    const line = text.slice(0, end)
    text = text.slice(end + 2)
    answers += answerTo(talk, line, refusalOf)
  }
  // Of a long content that nobody keeps, as much is kept as its end may be hidden in.
  talk.pending = talk.inContent && !keeps(talk.recipient) ? text.slice(-8) : text
  return answers
}

function answerTo(talk: Talk, line: string, refusalOf: Rules['refusalOf']): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return '250-sink\r\n250 PIPELINING\r\n'
    case 'QUIT':
      return '221 bye\r\n'
    case 'DATA':
      if (talk.recipient === '') return '554 no recipient\r\n'
      talk.inContent = true
      return '354 go on\r\n'
    case 'RCPT': {
      const recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
      const refusal = refusalOf(recipient)
      talk.recipient = refusal === undefined ? recipient : ''
      return `${refusal ?? '250 ok'}\r\n`
    }
    default:
      return '250 ok\r\n'
  }
}
