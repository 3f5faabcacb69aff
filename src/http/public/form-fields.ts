import { AppError, invalid } from '../../errors.ts'
import { MAX_FIELDS, readText, type Sending } from '../core/body.ts'

export const MAX_FORM_BYTES = 64 * 1024

/** The fields of an HTML form by name, each with all its values. */
export class FormFields {
  private readonly values = new Map<string, string[]>()

  /** Throws VALIDATION_FAILED for more than MAX_FIELDS fields. */
  constructor(entries: Iterable<readonly [string, string]>) {
    let count = 0
    for (const [name, value] of entries) {
      if (++count > MAX_FIELDS) throw invalid('', `A form can have at most ${MAX_FIELDS} fields.`)
      const values = this.values.get(name) ?? []
      // Browsers send each line break as CR LF.
      values.push(value.replace(/\r\n?/g, '\n'))
      this.values.set(name, values)
    }
  }

  names(): string[] {
    return [...this.values.keys()]
  }

  /** All values of all these names. */
  all(...names: string[]): string[] {
    return names.flatMap((name) => this.values.get(name) ?? [])
  }

  /** The last value of the first of these names that has a value. An empty value counts as missing. */
  one(...names: string[]): string | undefined {
    return names.map((name) => this.values.get(name)?.at(-1)).find((value) => value !== undefined && value !== '')
  }

  /** The values of these names as ids; undefined without any. Validation refuses what is not a number. */
  ids(...names: string[]): unknown[] | undefined {
    const texts = this.all(...names).filter((text) => text !== '')
    return texts.length === 0 ? undefined : texts.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text))
  }
}

/** Reads a form. Throws UNSUPPORTED_MEDIA_TYPE for other bodies, and VALIDATION_FAILED for files. */
export async function readFormFields(sending: Sending): Promise<FormFields> {
  const type = sending.request.headers.get('content-type') ?? ''
  const text = await readText(sending, MAX_FORM_BYTES)
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return new FormFields(new URLSearchParams(text))
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json or a form.')
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw invalid('', 'The body is not a valid form.')
  })
  return new FormFields(
    [...form].map(([name, value]) => {
      if (typeof value !== 'string') throw invalid(`/${name.slice(0, 100)}`, 'Files are not accepted.')
      return [name, value] as const
    }),
  )
}
