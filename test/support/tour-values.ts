const WIDTH = 220

/** As `outline`, in longer lines: short properties stand together. */
export function dense(value: unknown, indent = '  '): string {
  const line = JSON.stringify(value) ?? 'undefined'
  if (value === null || typeof value !== 'object' || line.length <= WIDTH) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((part) => `${inner}${dense(part, inner)}\n`).join('')}${indent}]`
  const lines: string[] = []
  for (const [key, part] of Object.entries(value)) {
    const text = `${key}: ${dense(part, inner)}`
    const last = lines.at(-1)
    if (last !== undefined && !`${last}${text}`.includes('\n') && last.length + text.length < WIDTH)
      lines[lines.length - 1] = `${last}, ${text}`
    else lines.push(text)
  }
  return `{\n${lines.map((text) => `${inner}${text}\n`).join('')}${indent}}`
}

/** A value of a row. Times are those of the test's clock. */
export function cell(value: unknown): string {
  if (typeof value === 'number' && value > 1e12 && value < 3e12)
    return new Date(value).toISOString().replace(/(:00)?\.000Z$/, '')
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return typeof value === 'string' && !/^(?:[\w.@+-]+|[[{].*[\]}])$/.test(value) ? JSON.stringify(value) : String(value)
}

/** A refusal of an operation or of the platform, of the usual form, in a line; null for anything else. */
export function refusal({ error, ...rest }: any): string | null {
  if (typeof error === 'string') return platformRefusal(error, rest)
  if (!error || Object.keys(rest).length > 0) return null
  const { code, message, retryable, details, ...more } = error
  const usual = code === 'VALIDATION_FAILED' && message === 'The request is not valid.' ? '' : ` "${message}"`
  const parts = [details === undefined ? '' : ` ${dense(details)}`, retryable ? ' retryable' : '']
  return `${code}${usual}${parts.join('')}${Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''}`
}

function platformRefusal(error: string, { message, details, ...more }: any): string | null {
  if (Object.keys(more).length > 0) return null
  const [first] = Array.isArray(details) ? details : []
  const usual = first && `The request is not valid. ${first.path.slice(1).replaceAll('/', '.')}: ${first.message}`
  const flaws = details === undefined ? '' : ` ${JSON.stringify(details)}`
  return `${error} ${message === usual ? 'as its first detail:' : JSON.stringify(message)}${flaws}`
}
