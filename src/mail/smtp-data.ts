const [CR, LF, DOT] = [13, 10, 46]
const ANOTHER_DOT = Buffer.from('.')

/**
 * A message as it is written after DATA (RFC 5321, section 4.5.2): a dot at the start of a line is doubled, and a lone
 * dot ends it. Every line ends with CRLF, because a receiver may take a bare CR or LF before a dot for the end.
 */
export function wireContent(message: Buffer): Buffer {
  const dots = leadingDots(message)
  if (dots === null) return wireContent(withProperLines(message))
  const parts: Buffer[] = []
  let from = 0
  for (const dot of dots) {
    parts.push(message.subarray(from, dot), ANOTHER_DOT)
    from = dot
  }
  parts.push(message.subarray(from), message.at(-1) === LF ? END : END_OF_LINE)
  return Buffer.concat(parts)
}

const END = Buffer.from('.\r\n')
const END_OF_LINE = Buffer.from('\r\n.\r\n')

/** Offsets of the lines that begin with a dot; null for a message with a bare CR or LF. */
function leadingDots(message: Buffer): number[] | null {
  const found = message[0] === DOT ? [0] : []
  let from = 0
  for (;;) {
    const end = message.indexOf(LF, from)
    const cr = message.indexOf(CR, from)
    if (end < 0) return cr < 0 ? found : null
    if (cr < 0 || cr !== end - 1) return null
    from = end + 1
    if (message[from] === DOT) found.push(from)
  }
}

function withProperLines(message: Buffer): Buffer {
  return Buffer.from(message.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\r\n'), 'latin1')
}
