import { contrast, longHex } from '../../../src/shared/contrast.ts'
import { Field } from '../ui/field.tsx'

interface ColorFieldProps {
  label: string
  value: string
  onInput(value: string): void
  /** The brand color of the project's settings. */
  brand: string | null
  /** Whether the value may be "brand", which follows the settings. */
  mayBeBrand?: boolean
  /** Whether the brand color applies when none is chosen. */
  isBrandByItself?: boolean
  /** The color that this one contrasts with: its background, or the text on it. */
  against?: string | null
  flaw?: string | null
}

/** A color: the brand color first, then any other. Shows the contrast. */
export function ColorField(props: ColorFieldProps) {
  const { label, value, onInput, brand, mayBeBrand = false, isBrandByItself = false, against, flaw } = props
  const brandValue = mayBeBrand ? 'brand' : isBrandByItself ? null : brand
  const shown = longHex(value === 'brand' || (value === '' && isBrandByItself) ? brand : value)
  const other = longHex(against === 'brand' ? brand : against)
  const ratio = shown && other ? contrast(shown, other) : null
  const kind = value === '' ? 'none' : value === brandValue ? 'brand' : 'own'
  return (
    <Field label={label} flaw={flaw} hint={ratio === null ? undefined : <Ratio ratio={ratio} />}>
      {(ids) => (
        <span class="color-field">
          <select
            {...ids}
            class="input input-select"
            value={kind}
            onChange={(event) => {
              const next = event.currentTarget.value
              onInput(next === 'none' ? '' : next === 'brand' ? brandValue! : (shown ?? '#0b5a6e'))
            }}
          >
            <option value="none">{isBrandByItself ? 'Brand' : 'As usual'}</option>
            {brandValue !== null && <option value="brand">Brand</option>}
            <option value="own">Own color</option>
          </select>
          {shown && kind === 'own' && (
            <input
              type="color"
              class="color-swatch"
              aria-label={`${label}: the color`}
              value={shown}
              onInput={(event) => onInput(event.currentTarget.value)}
            />
          )}
        </span>
      )}
    </Field>
  )
}

function Ratio({ ratio }: { ratio: number }) {
  const words = ratio >= 4.5 ? 'easy to read' : ratio >= 3 ? 'only for large text' : 'hard to read'
  return (
    <>
      {ratio.toFixed(1)} : 1, {words}
    </>
  )
}
