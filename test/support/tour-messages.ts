import type { SinkMessage } from './smtp-sink.ts'

/** The headers that the brief form of a message has. */
const BRIEF = /^(?:From|Reply-To|Subject|Date|Message-ID|List-ID|Feedback-ID): (.*)$/gm

/**
 * Messages with their envelopes, in the order of their recipients. `brief`: some headers in a line. `short`: the source
 * with the text and the links of its HTML. `whole`: all of it. Quoted-printable text is decoded, signatures are left
 * out.
 */
export function messageLines(messages: readonly SinkMessage[], form: 'brief' | 'short' | 'whole' = 'brief'): string[] {
  return messages
    .toSorted((one, other) => (String(one.to) < String(other.to) ? -1 : String(one.to) === String(other.to) ? 0 : 1))
    .flatMap(({ from, to, raw }) => {
      const source = decodedSource(raw)
      const envelope = `message ${from} > ${to.join(' ')}`
      if (form === 'brief') return [[envelope, ...[...source.matchAll(BRIEF)].map(([, value]) => value)].join(' | ')]
      return [envelope, ...sourceLines(source, form === 'whole').map((line) => `> ${line}`)]
    })
}

function sourceLines(source: string, whole: boolean): string[] {
  const at = source.search(/<!doctype html/i)
  if (at < 0 || whole) return source.split('\n').filter((line) => line !== '')
  const html = source.slice(at).replaceAll(/<style>[^]*?<\/style>|<!--[^]*?-->/g, '')
  const shown = html.replaceAll(
    / (?:style|role|class|width|height|cellpadding|cellspacing|border|align|bgcolor)="[^"]*"/g,
    '',
  )
  return [...source.slice(0, at).split('\n'), ...shown.split(/\n|(?=<a |<img |<h\d|<p|--<)/)].filter(
    (line) => line.replaceAll(/<(?!a |img )[^>]*>/g, '').trim() !== '',
  )
}

/** The text of a message, beside its HTML. */
export function textOf({ raw }: SinkMessage): string {
  const source = decodedSource(raw)
  return /Content-Type: text\/plain[^]*?\n\n([^]*?)\n--=_/.exec(source)?.[1] ?? source.slice(source.indexOf('\n\n') + 2)
}

/** The subject of a message and its text. */
export function wordsOf(message: SinkMessage): string {
  const subject = /^Subject: .*$/m.exec(decodedSource(message.raw))?.[0] ?? ''
  return [subject, ...textOf(message).split('\n')].filter((line) => line !== '').join('\n')
}

/** A source with unfolded headers and decoded bodies. */
function decodedSource(raw: Buffer): string {
  const source = raw.toString('latin1').replaceAll('\r\n', '\n')
  const end = source.indexOf('\n\n')
  const head = source
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=(?: (?==\?))?/gi, (_, word: string) =>
      Buffer.from(word, 'base64').toString('latin1'),
    )
    .replaceAll(/\b(b|bh)=[\w+/= ]{40,}/g, '$1=...')
  const body = source
    .slice(end)
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(head + body, 'latin1')
    .toString('utf8')
    .replaceAll(/\u034F[\u034F\u200C\u00A0]+/g, '[invisible]')
}
