/**
 * The part of a JSON text that the request log of an app keeps (docs/api/platform.md#request-log): its beginning, as
 * valid JSON, without secrets. The text may be cut off, and it is read only as far as it is kept.
 */

/** Characters that are kept of a request, and of an answer. */
export const KEPT_CHARACTERS = 4_000
const MAX_TEXT = 500
const MAX_DEPTH = 32
const REMOVED = '[removed]'
const CUT = '…'
/** The end of a text that is cut off within an escape sequence. */
const CUT_ESCAPE = /(?<!\\)(?<whole>(?:\\\\)*)\\(?:u[\da-f]{0,3})?$/i

/** Null when the text does not begin as JSON: what is secret in it cannot be told. */
export function keptJson(text: string, of: 'request' | 'answer'): string | null {
  let at = 0
  let kept = ''
  const closing: string[] = []
  const isWhole = value('', '', false)
  if (kept === '') return null
  if (!isWhole) {
    const separator = /[[{]$/.test(kept) ? '' : ','
    if (closing.at(-1) === '}') kept += `${separator}"${CUT}":"${CUT}"`
    if (closing.at(-1) === ']') kept += `${separator}"${CUT}"`
  }
  return kept + closing.toReversed().join('')

  /** Keeps the value at the present place behind `prefix`. False where the text or the room for it ends. */
  function value(prefix: string, name: string, isSkipped: boolean): boolean {
    skipSpace()
    const first = text[at]
    if (!isSkipped && isSecret(name, of, first === '{')) return keep(`${prefix}"${REMOVED}"`) && value('', '', true)
    if (first === '{' || first === '[') return members(prefix, first, name, isSkipped)
    if (first === '"') {
      const given = string()
      if (given === null || isSkipped) return given !== null
      // A text may hold JSON itself, as the body of a webhook that is passed on does.
      const inner = /^\s*(?:\{\s*"|\[\s*[[{"])/.test(given) ? keptJson(given, of) : null
      return keep(prefix + JSON.stringify(shortened(withoutSecrets(inner ?? given, name))))
    }
    const literal = /(?:-?\d[\d.eE+-]*|true|false|null)/y
    literal.lastIndex = at
    const found = literal.exec(text)?.[0]
    if (found === undefined) return false
    at += found.length
    return isSkipped || keep(prefix + found)
  }

  function members(prefix: string, opening: '{' | '[', name: string, isSkipped: boolean): boolean {
    const end = opening === '{' ? '}' : ']'
    if (closing.length === MAX_DEPTH || !(isSkipped || keep(prefix + opening))) return false
    if (!isSkipped) closing.push(end)
    at += 1
    for (let count = 0; ; count++) {
      skipSpace()
      if (text[at] === end) break
      if (count > 0 && text[at++] !== ',') return false
      const before = count > 0 ? ',' : ''
      if (opening === '[') {
        if (!value(before, name, isSkipped)) return false
        continue
      }
      skipSpace()
      const key = text[at] === '"' ? string() : null
      skipSpace()
      if (key === null || text[at++] !== ':') return false
      if (!value(`${before}${JSON.stringify(shortened(withoutSecrets(key, '')))}:`, key, isSkipped)) return false
    }
    at += 1
    if (!isSkipped) kept += closing.pop()!
    return true
  }

  /** The text in quotes at the present place, up to the end where it is cut off; null when it is not valid. */
  function string(): string | null {
    const begin = at
    for (let end = text.indexOf('"', begin + 1); end > 0; end = text.indexOf('"', end + 1)) {
      let slashes = 0
      while (text[end - 1 - slashes] === '\\') slashes++
      if (slashes % 2 === 1) continue
      at = end + 1
      return parsed(text.slice(begin, at))
    }
    at = text.length
    return parsed(`${text.slice(begin).replace(CUT_ESCAPE, '$<whole>')}"`)
  }

  function keep(piece: string): boolean {
    const isRoom = kept.length + piece.length + closing.length + 10 <= KEPT_CHARACTERS
    if (isRoom) kept += piece
    return isRoom
  }

  function skipSpace(): void {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  }
}

/** The value of a text in quotes; null when it is not valid. */
function parsed(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return null
  }
}

/** The path and the query of a request, without secrets. */
export function keptAddress({ pathname, searchParams }: URL): string {
  const query = [...searchParams].map(
    ([name, value]) => `${name}=${isSecret(name, 'request', false) ? REMOVED : withoutSecrets(value, name)}`,
  )
  const address = withoutSecrets(pathname, 'id') + (query.length === 0 ? '' : `?${query.join('&')}`)
  return address.length > MAX_TEXT ? address.slice(0, MAX_TEXT) + CUT : address
}

const SECRET_NAMES = /password|passphrase|secret|token|credential|apikey|accesskey|privatekey|assertion|verifier|cookie/
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['authorization', 'otp', 'totp', 'recoverycode', 'recoverycodes'],
  // The introspection of a token answers the address of its user. No account is known of that call, to erase it with.
  'username',
])

/** Whether the values of a property are secrets. The `code` of an answer is the name of an error. */
function isSecret(name: string, of: 'request' | 'answer', isObject: boolean): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '')
  if (plain === 'code') return of === 'request'
  if (plain.startsWith('tokentype')) return false
  return SECRET_NAMES.test(plain) || (SECRET_WORDS.has(plain) && !isObject)
}

/**
 * The beginning of a text, without what looks like a token, as the address of a personal link contains one. Ids are as
 * long, and no secrets.
 */
function withoutSecrets(text: string, name: string): string {
  const known = text.slice(0, 2 * MAX_TEXT).replace(/svc_[a-z]+_[\w-]+/g, REMOVED)
  if (/id$/i.test(name)) return known
  return known.replace(/[\w-]{32,}/g, (run) =>
    /\d/.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run)) ? REMOVED : run,
  )
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + CUT : text
}
