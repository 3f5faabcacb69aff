import { Button, IconButton } from '../ui/button.tsx'
import { Select, TextField } from '../ui/field.tsx'
import type { PropSchema } from './block-types.ts'
import { LinkField } from './link-field.tsx'
import { sentence } from './block-names.ts'

interface ProfileLink {
  network: string
  href: string
  label?: string
}

interface LinksFieldProps {
  value: readonly ProfileLink[] | undefined
  schema: PropSchema
  flaw: string | null
  onChange(value: readonly ProfileLink[]): void
}

/** Links to social profiles, in order. */
export function LinksField({ value = [], schema, flaw, onChange }: LinksFieldProps) {
  const networks = schema.items?.properties?.['network']?.enum ?? []
  const change = (at: number, part: Partial<ProfileLink>) =>
    onChange(value.map((link, index) => (index === at ? { ...link, ...part } : link)))
  return (
    <fieldset class="letter-field-wide letter-links">
      <legend class="field-label">Links</legend>
      {value.map((link, at) => (
        <div class="letter-link" key={at}>
          <Select
            label={`Network ${at + 1}`}
            value={link.network}
            options={networks.map((network) => ({ value: network, label: sentence(network) }))}
            onInput={(network) => change(at, { network })}
          />
          <LinkField
            label={`Link ${at + 1}`}
            value={link.href}
            flaw={link.href === '' ? flaw : null}
            onInput={(href) => change(at, { href })}
          />
          <TextField
            label={`Words ${at + 1}`}
            optional
            value={link.label ?? ''}
            onInput={(label) => {
              const { network, href } = link
              onChange(value.toSpliced(at, 1, label === '' ? { network, href } : { network, href, label }))
            }}
          />
          <IconButton
            icon="trash"
            label={`Delete link ${at + 1}`}
            disabled={value.length <= (schema.minItems ?? 0)}
            onClick={() => onChange(value.toSpliced(at, 1))}
          />
        </div>
      ))}
      {value.length < (schema.maxItems ?? Infinity) && (
        <Button small icon="plus" onClick={() => onChange([...value, { network: networks[0] ?? '', href: '' }])}>
          Add a link
        </Button>
      )}
    </fieldset>
  )
}
