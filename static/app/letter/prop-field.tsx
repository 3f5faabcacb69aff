import { buttonColors } from '../../../src/shared/letter-colors.ts'
import { CodeEditor } from '../code/editor.tsx'
import { Checkbox } from '../ui/choice.tsx'
import { FieldNotes, NumberField, Select, TextArea, TextField } from '../ui/field.tsx'
import { type PropSchema, propLabel } from './block-types.ts'
import { ColorField } from './color-field.tsx'
import { ColumnsField } from './columns-field.tsx'
import { useEditor } from './context.ts'
import type { Block } from './document.ts'
import type { Editor } from './editor.ts'
import { FontField } from './font-field.tsx'
import { groundOf } from './ground.ts'
import { LineField } from './line-field.tsx'
import { LinkField } from './link-field.tsx'
import { LinksField } from './links-field.tsx'
import { PictureField } from './picture-field.tsx'
import { TableField } from './table-field.tsx'
import { sentence } from './block-names.ts'

interface PropFieldProps {
  block: Block
  name: string
  schema: PropSchema
  required: boolean
  brandColor: string | null
  flaw: string | null
  /** Undefined removes the property. */
  onChange(value: unknown): void
}

/** The field of one property: a special control for some, otherwise one made from the schema. */
export function PropField(props: PropFieldProps) {
  const { block, name, schema, required, flaw, onChange } = props
  const editor = useEditor()
  const isButton = block.type === 'button'
  const value = block.props[name]
  const text = typeof value === 'string' ? value : ''
  const label = propLabel(name)
  const setText = (next: string) => onChange(next === '' && !required ? undefined : next)
  const shared = { label, flaw, required }
  if (name === 'rows' && block.type === 'table') return <TableField block={block} />
  if (name === 'columns') return <ColumnsField block={block} />
  if (name === 'links' && schema.type === 'array')
    return <LinksField value={value as never} schema={schema} flaw={flaw} onChange={onChange} />
  if (name === 'href') return <LinkField {...shared} value={text} onInput={setText} />
  if (name === 'src') return <PictureField {...shared} block={block} value={text} onInput={setText} />
  if (name === 'font_family') return <FontField label={label} value={text} onInput={setText} />
  if (/(?:^|_)color$/.test(name))
    return (
      <ColorField
        {...shared}
        value={text}
        onInput={setText}
        brand={isButton ? editor.brand.value : props.brandColor}
        mayBeBrand={schema.pattern?.includes('brand') ?? false}
        isBrandByItself={isButton && name === 'background_color'}
        against={against(editor, block, name)}
      />
    )
  if (name === 'html')
    return (
      <div class="letter-field-wide field">
        <span class="field-label">{label}</span>
        <CodeEditor label={label} language="html" value={text} onInput={setText} />
        <FieldNotes flaw={flaw} />
      </div>
    )
  if (isButton && name === 'text') return <LineField framed label={label} value={text} onInput={onChange} note={flaw} />
  if (schema.enum) return <ChoiceField {...props} />
  if (schema.type === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={Boolean(value ?? schema.default)}
        onChange={(next) => onChange(next === (schema.default ?? false) ? undefined : next)}
      />
    )
  if (schema.type === 'integer' || schema.type === 'number') return <AmountField {...props} />
  if ((schema.maxLength ?? 0) > 1000) return <TextArea {...shared} rows={3} value={text} onInput={setText} />
  return <TextField {...shared} value={text} hint={hintOf(name, schema)} onInput={setText} />
}

/** The color that another one must contrast with; null when it has no text. */
function against(editor: Editor, block: Block, name: string): string | null {
  const ground = groundOf(editor, block)
  if (block.type !== 'button') return name === 'color' ? ground.background : null
  const { background_color, text_color } = block.props as Record<string, string | undefined>
  const { background, foreground } = buttonColors({ background_color, text_color }, ground, editor.brand.value)
  return name === 'background_color' ? foreground : name === 'text_color' ? background : null
}

const HINTS: Readonly<Record<string, string>> = {
  alt: 'What is seen? Leave empty only for decoration.',
}

function hintOf(name: string, { description }: PropSchema): string | undefined {
  return HINTS[name] ?? description
}

const CHOICES: Readonly<Record<string, string>> = {
  auto: 'As its letters say',
  ltr: 'Left to right',
  rtl: 'Right to left',
}

function ChoiceField({ block, name, schema, required, flaw, onChange }: PropFieldProps) {
  const value = block.props[name] ?? schema.default ?? (name === 'align' ? defaultAlign(block.type) : '')
  return (
    <Select
      label={propLabel(name)}
      flaw={flaw}
      value={String(value)}
      options={schema.enum!.map((choice) => ({ value: choice, label: CHOICES[choice] ?? sentence(choice) }))}
      placeholder={value === '' && !required ? 'As usual' : undefined}
      onInput={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

function defaultAlign(type: string): string {
  return type === 'image' || type === 'social' ? 'center' : 'start'
}

/** A range with few numbers is a list of choices. */
const FEW = 6

function AmountField(props: PropFieldProps) {
  const { minimum = -Infinity, maximum = Infinity } = props.schema
  return maximum - minimum < FEW ? <FewField {...props} /> : <NumberInput {...props} />
}

function FewField({ block, name, schema, required, flaw, onChange }: PropFieldProps) {
  const { minimum = 0, maximum = 0 } = schema
  const value = block.props[name]
  return (
    <Select
      label={propLabel(name)}
      flaw={flaw}
      value={typeof value === 'number' ? String(value) : ''}
      placeholder={required ? undefined : 'As usual'}
      options={Array.from({ length: maximum - minimum + 1 }, (_, at) => String(minimum + at)).map((number) => ({
        value: number,
        label: number,
      }))}
      onInput={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  )
}

function NumberInput({ block, name, schema, required, flaw, onChange }: PropFieldProps) {
  const value = block.props[name]
  const isPixels = /pixel/i.test(schema.description ?? '') || /^(?:width|height|size|thickness)$/.test(name)
  return (
    <NumberField
      label={propLabel(name)}
      flaw={flaw}
      value={typeof value === 'number' ? String(value) : ''}
      min={schema.minimum}
      max={schema.maximum}
      behind={isPixels ? 'px' : undefined}
      placeholder={schema.default === undefined ? undefined : String(schema.default)}
      onInput={(next) => {
        if (next === '' && required) return
        onChange(next === '' ? undefined : Math.round(Number(next)))
      }}
    />
  )
}
