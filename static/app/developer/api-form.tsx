import { fieldRows, namesIn, type Schema, type Schemas } from '../../../src/http/docs/schema-fields.ts'
import { Card } from '../ui/card.tsx'
import { Select, TextField } from '../ui/field.tsx'

export type Body = Readonly<Record<string, unknown>>

interface FormProps {
  schema: Schema
  schemas: Schemas
  value: Body
  onChange(value: Body): void
}

/** Properties that the page fills in. */
const OWN: ReadonlySet<string> = new Set(['project_id', 'idempotency_key'])

/**
 * The fields of a body, required ones first. What holds one value is a field here; lists and objects are written in the
 * JSON beside it.
 */
export function BodyForm({ schema, schemas, value, onChange }: FormProps) {
  const rows = fieldRows(schema).filter(({ name }) => !OWN.has(name))
  const set = (name: string, given: unknown) => {
    const next = Object.entries({ ...value, [name]: given }).filter(([, one]) => one !== undefined)
    onChange(Object.fromEntries(next))
  }
  return (
    <Card title="Fields">
      {rows.length === 0 && <p class="quiet">It takes no fields.</p>}
      <div class="stack api-fields">
        {rows.map(({ name, required, type, description, limits }) => {
          const hint = [type, limits, description].filter(Boolean).join('. ')
          const label = required ? `${name} (required)` : name
          const single = singleOf(schema.properties?.[name], schemas)
          if (!single)
            return (
              <div key={name}>
                <code>{name}</code> {required && <b class="small">required</b>}
                <p class="small quiet">{hint}</p>
              </div>
            )
          const choices = single.enum ?? (single.type === 'boolean' ? [true, false] : undefined)
          const given = value[name]
          return choices ? (
            <Select
              key={name}
              label={label}
              hint={hint}
              value={given === undefined ? '' : JSON.stringify(given)}
              onInput={(text) => set(name, text === '' ? undefined : JSON.parse(text))}
              options={[
                { value: '', label: 'left out' },
                ...choices.map((choice) => ({ value: JSON.stringify(choice), label: String(choice) })),
              ]}
            />
          ) : (
            <TextField
              key={name}
              label={label}
              hint={hint}
              value={typeof given === 'string' || typeof given === 'number' ? String(given) : ''}
              onInput={(text) => set(name, text === '' ? undefined : valueOf(text, single))}
            />
          )
        })}
      </div>
    </Card>
  )
}

function valueOf(text: string, { type }: Schema): unknown {
  const isNumber = (type === 'integer' || type === 'number') && Number.isFinite(Number(text))
  return isNumber ? Number(text) : text
}

/** The schema of a field that holds one value; null for lists, objects, and what nests deeper. */
function singleOf(schema: Schema | undefined, schemas: Schemas): Schema | null {
  if (!schema) return null
  if (schema.$ref !== undefined) return singleOf(schemas[namesIn(schema)[0]!], schemas)
  const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (variants.length === 1) return singleOf(variants[0], schemas)
  if (variants.length > 1) {
    const only = variants.map((variant) => variant.const)
    return only.every((choice) => choice !== undefined) ? { enum: only } : null
  }
  return schema.enum || ['string', 'integer', 'number', 'boolean'].includes(schema.type ?? '') ? schema : null
}
