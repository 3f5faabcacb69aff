import { useEffect, useState } from 'preact/hooks'
import type { Schema, Schemas } from '../../../src/shared/schema-fields.ts'
import { Button } from '../ui/button.tsx'
import { RadioCards } from '../ui/choice.tsx'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import { firstValue, fits, isValues, shapeOf, singleValue, type Values } from './api-shapes.ts'

interface ApiFieldProps {
  /** The position in the body, such as `rules[0].field`. */
  name: string
  schema: Schema | undefined
  schemas: Schemas
  required: boolean
  /** The field is an element of a list, so it is not optional. */
  in_row?: boolean
  hint?: string
  value: unknown
  /** Undefined leaves the field out. */
  onChange(value: unknown): void
}

/** One field of a body with the fields inside it: lists as rows, objects as fields, variants as a choice. */
export function ApiField(props: ApiFieldProps) {
  const { name, schema, schemas, required, in_row, hint, value, onChange } = props
  const shape = shapeOf(schema, schemas)
  const label = required && !in_row ? `${name} (required)` : name
  if (shape.kind === 'choice')
    return (
      <Select
        label={label}
        hint={hint}
        value={value === undefined ? '' : JSON.stringify(value)}
        onInput={(text) => onChange(text === '' ? undefined : JSON.parse(text))}
        options={[
          ...(in_row ? [] : [{ value: '', label: 'left out' }]),
          ...shape.choices.map((choice) => ({ value: JSON.stringify(choice), label: String(choice) })),
        ]}
      />
    )
  if (shape.kind === 'single')
    return (
      <TextField
        label={label}
        hint={hint}
        value={value === undefined || value === null ? '' : String(value)}
        onInput={(text) => onChange(text === '' ? undefined : singleValue(text, shape.types))}
      />
    )
  if (shape.kind === 'json') return <JsonField {...props} label={label} />
  if (value === undefined || value === null)
    return (
      <Part name={label} hint={hint}>
        <Button
          small
          icon="plus"
          onClick={() =>
            onChange(shape.kind === 'list' ? [firstValue(shape.items, schemas)] : firstValue(schema!, schemas))
          }
        >
          Add {name}
        </Button>
      </Part>
    )
  return (
    <Part name={label} hint={hint} onLeaveOut={required ? undefined : () => onChange(undefined)} of={name}>
      {shape.kind === 'list' && <Rows {...props} items={shape.items} />}
      {shape.kind === 'object' && <ObjectFields {...props} schema={shape.schema} />}
      {shape.kind === 'record' && <Named {...props} values={shape.values} />}
      {shape.kind === 'variants' && <Variants {...props} variants={shape.variants} />}
    </Part>
  )
}

interface PartProps {
  name: string
  /** The label without "(required)". */
  of?: string
  hint?: string
  onLeaveOut?: () => void
  children: preact.ComponentChildren
}

function Part({ name, of, hint, onLeaveOut, children }: PartProps) {
  return (
    <fieldset class="api-part">
      <legend class="field-label">{name}</legend>
      {hint && <p class="small quiet">{hint}</p>}
      <div class="stack stack-tight">
        {children}
        {onLeaveOut && (
          <div>
            <Button small kind="quiet" onClick={onLeaveOut}>
              Leave out {of}
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

function Rows({ name, items, schemas, value, onChange }: ApiFieldProps & { items: Schema }) {
  const rows = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <>
      {rows.map((row, index) => (
        <div class="api-row" key={index}>
          <ApiField
            name={`${name}[${index}]`}
            schema={items}
            schemas={schemas}
            required
            in_row
            value={row}
            // A row may be empty while the user types in it.
            onChange={(next) => onChange(rows.with(index, next === undefined ? '' : next))}
          />
          <Button small kind="quiet" icon="trash" onClick={() => onChange(rows.toSpliced(index, 1))}>
            Remove<span class="visually-hidden"> {`${name}[${index}]`}</span>
          </Button>
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => onChange([...rows, firstValue(items, schemas)])}>
          Add a row<span class="visually-hidden"> to {name}</span>
        </Button>
      </div>
    </>
  )
}

type ObjectProps = Pick<ApiFieldProps, 'name' | 'schemas' | 'value' | 'onChange'> & { schema: Schema }

/** The fields of an object, required ones first. */
function ObjectFields({ name, schema: { properties = {}, required = [] }, schemas, value, onChange }: ObjectProps) {
  const known = isValues(value) ? value : {}
  const isRequired = (field: string) => required.includes(field)
  return (
    <>
      {Object.entries(properties)
        .toSorted(([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)))
        .map(([field, schema]) => (
          <ApiField
            key={field}
            name={`${name}.${field}`}
            schema={schema}
            schemas={schemas}
            required={isRequired(field)}
            hint={schema.description}
            value={known[field]}
            onChange={(given) => onChange(withField(known, field, given))}
          />
        ))}
    </>
  )
}

/** An object with another value of a field; undefined leaves the field out. */
export function withField(value: Values, field: string, given: unknown): Values {
  return Object.fromEntries(Object.entries({ ...value, [field]: given }).filter(([, one]) => one !== undefined))
}

function Named({ name, schemas, value, onChange, values }: ApiFieldProps & { values: Schema }) {
  const [key, setKey] = useState('')
  const known = isValues(value) ? value : {}
  return (
    <>
      {Object.entries(known).map(([field, one]) => (
        <div class="api-row" key={field}>
          <ApiField
            name={`${name}.${field}`}
            schema={values}
            schemas={schemas}
            required
            value={one}
            onChange={(given) => onChange(withField(known, field, given === undefined ? '' : given))}
          />
          <Button small kind="quiet" icon="trash" onClick={() => onChange(withField(known, field, undefined))}>
            Remove<span class="visually-hidden"> {`${name}.${field}`}</span>
          </Button>
        </div>
      ))}
      <div class="api-row">
        <TextField label={`A name in ${name}`} value={key} onInput={setKey} />
        <Button
          small
          icon="plus"
          disabled={key.trim() === '' || Object.hasOwn(known, key.trim())}
          onClick={() => {
            onChange(withField(known, key.trim(), firstValue(values, schemas)))
            setKey('')
          }}
        >
          Add it<span class="visually-hidden"> to {name}</span>
        </Button>
      </div>
    </>
  )
}

interface VariantsProps extends ApiFieldProps {
  variants: readonly { label: string; schema: Schema }[]
}

function Variants({ name, schemas, value, onChange, variants }: VariantsProps) {
  const at = Math.max(
    0,
    variants.findIndex((variant) => fits(variant.schema, value, schemas)),
  )
  const options = variants.map(({ label }, index) => ({ value: String(index), label }))
  const choose = (index: string) => onChange(firstValue(variants[Number(index)]!.schema, schemas))
  const legend = `Which ${name}`
  const { schema } = variants[at]!
  const shape = shapeOf(schema, schemas)
  return (
    <>
      {variants.length > 4 ? (
        <Select label={legend} value={String(at)} onInput={choose} options={options} />
      ) : (
        <RadioCards legend={legend} value={String(at)} onChange={choose} options={options} beside />
      )}
      {shape.kind === 'object' ? (
        <ObjectFields name={name} schema={shape.schema} schemas={schemas} value={value} onChange={onChange} />
      ) : (
        <ApiField name={name} schema={schema} schemas={schemas} required value={value} onChange={onChange} />
      )}
    </>
  )
}

/** A field that takes any JSON. Text that is not JSON stays in the field only. */
function JsonField({ label, hint, value, onChange }: ApiFieldProps & { label: string }) {
  const shown = value === undefined ? '' : JSON.stringify(value, null, 2)
  const [text, setText] = useState(shown)
  const read = (given: string): unknown => {
    try {
      return given.trim() === '' ? undefined : JSON.parse(given)
    } catch {
      return NOT_JSON
    }
  }
  useEffect(() => {
    const written = read(text)
    // In a row an empty text is an empty value.
    const isEmptied = written === undefined && value === ''
    if (!isEmptied && JSON.stringify(written) !== JSON.stringify(value)) setText(shown)
  }, [shown])
  return (
    <TextArea
      label={label}
      hint={hint}
      mono
      rows={3}
      spellcheck={false}
      value={text}
      flaw={read(text) === NOT_JSON ? 'This is no JSON.' : null}
      onInput={(given) => {
        setText(given)
        const next = read(given)
        if (next !== NOT_JSON) onChange(next)
      }}
    />
  )
}

const NOT_JSON = Symbol('no JSON')
