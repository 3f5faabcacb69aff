import { useEditor } from './context.ts'
import { TextField } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { withScheme } from '../ui/web-address.ts'
import { withoutRedirect } from './redirects.ts'
import { writeTag } from './tags.ts'

interface LinkFieldProps {
  label: string
  value: string
  onInput(value: string): void
  flaw?: string | null
  required?: boolean
}

/** An address, or a merge tag in its place. A host name without a scheme gets https. */
export function LinkField({ label, value, onInput, flaw, required }: LinkFieldProps) {
  const { tags } = useEditor()
  const links = tags.value.filter(({ name }) => name.endsWith('_url') || name.startsWith('contact.custom.'))
  const opens = /^https?:\/\/[^\s{}]+$/i.test(value) ? value : null
  return (
    <div class="link-field">
      <TextField
        label={label}
        value={value}
        flaw={flaw}
        required={required}
        inputmode="url"
        autocapitalize="none"
        spellcheck={false}
        placeholder="https://"
        dir="ltr"
        hint={
          opens && (
            <a href={opens} target="_blank" rel="noreferrer">
              Open it
            </a>
          )
        }
        onInput={onInput}
        onBlur={() => {
          const mended = mendAddress(value)
          if (mended !== value) onInput(mended)
        }}
        behind={
          links.length === 0 ? undefined : (
            <Menu
              label={`A merge tag as ${label}`}
              icon="braces"
              small
              items={links.map((tag) => ({
                label: tag.label,
                hint: tag.description,
                onSelect: () => onInput(writeTag({ name: tag.name, fallback: '' })),
              }))}
            />
          )
        }
      />
    </div>
  )
}

/** `example.com/x` as people type it becomes `https://example.com/x`, an e-mail address a mailto link. */
export function mendAddress(typed: string): string {
  const text = typed.trim()
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  return withoutRedirect(withScheme(text))
}
