/** Values as they travel to a libSQL server and back (Hrana 3, JSON encoding). */
export type WireValue =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string }

/** A parameter. A number travels as a float, as the driver of a database file binds it. Throws TypeError. */
export function toWire(value: unknown): WireValue {
  if (value === null) return { type: 'null' }
  if (typeof value === 'string') return { type: 'text', value: value.toWellFormed() }
  if (typeof value === 'number' && Number.isFinite(value)) return { type: 'float', value }
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) }
  if (typeof value === 'boolean') return { type: 'integer', value: value ? '1' : '0' }
  if (value instanceof Date) return { type: 'float', value: value.valueOf() }
  if (value instanceof ArrayBuffer) return { type: 'blob', base64: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return { type: 'blob', base64: bytes.toString('base64') }
  }
  throw new TypeError(`${String(value)} cannot be stored in the database.`)
}

export function fromWire(value: WireValue): unknown {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return Number(value.value)
    case 'blob':
      return Buffer.from(value.base64, 'base64')
    default:
      return value.value
  }
}
