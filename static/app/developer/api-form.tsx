import { fieldRows, type Schema, type Schemas } from '../../../src/shared/schema-fields.ts'
import { Card } from '../ui/card.tsx'
import { RadioCards } from '../ui/choice.tsx'
import { ApiField, withField } from './api-field.tsx'
import { firstValue, type Values } from './api-shapes.ts'

interface FormProps {
  schema: Schema
  schemas: Schemas
  value: Values
  onChange(value: Values): void
}

/** Properties that the page fills in. */
const OWN: ReadonlySet<string> = new Set(['project_id', 'idempotency_key'])

/** The fields of a body, required ones first. Of properties that exclude each other, the user chooses one. */
export function BodyForm({ schema, schemas, value, onChange }: FormProps) {
  const { properties = {}, required = [] } = schema
  const rivals = rivalsIn(schema)
  const chosen = rivals.find((name) => value[name] !== undefined) ?? rivals[0]
  const described = new Map(fieldRows(schema).map((row) => [row.name, row]))
  const names = Object.keys(properties)
    .filter((name) => !OWN.has(name) && (name === chosen || !rivals.includes(name)))
    .toSorted((one, other) => Number(isNeeded(other)) - Number(isNeeded(one)))
  function isNeeded(name: string): boolean {
    return name === chosen || required.includes(name)
  }
  return (
    <Card title="Fields">
      {names.length === 0 && <p class="quiet">It takes no fields.</p>}
      <div class="stack api-fields">
        {chosen !== undefined && (
          <RadioCards
            legend="One of these"
            value={chosen}
            onChange={(name) => {
              const others = Object.fromEntries(Object.entries(value).filter(([field]) => !rivals.includes(field)))
              onChange({ ...others, [name]: firstValue(properties[name]!, schemas) })
            }}
            options={rivals.map((name) => ({ value: name, label: name }))}
            beside
          />
        )}
        {names.map((name) => {
          const { type, limits, description } = described.get(name)!
          return (
            <ApiField
              key={name}
              name={name}
              schema={properties[name]}
              schemas={schemas}
              required={isNeeded(name)}
              hint={[type, limits, description].filter(Boolean).join('. ')}
              value={value[name]}
              onChange={(given) => onChange(withField(value, name, given))}
            />
          )
        })}
      </div>
    </Card>
  )
}

/** The properties of which a body takes exactly one. */
function rivalsIn({ oneOf = [] }: Schema): string[] {
  return oneOf.every(({ properties }) => properties === undefined) ? oneOf.flatMap(({ required = [] }) => required) : []
}
