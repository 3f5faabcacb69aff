import { useRead } from '../api/query.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { changeDocument } from './acts.ts'
import { ColorField } from './color-field.tsx'
import { useEditor } from './context.ts'
import { changeDesign, type Design } from './document.ts'
import { isDesignOpen } from './design-open.ts'
import { FontField } from './font-field.tsx'

/** Colors, font and width of the whole letter. Shown while no block is selected. */
export function DesignPanel({ brandColor }: { brandColor: string | null }) {
  const editor = useEditor()
  const { settings } = editor.content.value.document
  const { data } = useRead('settings/get', {})
  const set = (change: Partial<Design>) =>
    changeDocument(editor, (document) => changeDesign(document, change), `design ${Object.keys(change).join(' ')}`)
  const color = (name: 'background_color' | 'text_color' | 'link_color', label: string) => (
    <ColorField
      label={label}
      value={settings[name] ?? ''}
      brand={brandColor}
      against={name === 'background_color' ? null : '#ffffff'}
      onInput={(value) => set({ [name]: value === '' ? undefined : value })}
    />
  )
  return (
    <details
      class="letter-inspector letter-design"
      open={isDesignOpen.value}
      onToggle={(event) => (isDesignOpen.value = event.currentTarget.open)}
    >
      <summary>
        <Icon name="palette" />
        Design of the letter
      </summary>
      <div class="letter-fields">
        {color('background_color', 'Page color')}
        {color('text_color', 'Text color')}
        {color('link_color', 'Link color')}
        <FontField
          label="Font"
          value={settings.font_family ?? ''}
          onInput={(value) => set({ font_family: value === '' ? undefined : value })}
        />
        <NumberField
          label="Width"
          behind="px"
          min={320}
          max={800}
          placeholder="600"
          value={settings.content_width === undefined ? '' : String(settings.content_width)}
          onInput={(value) => set({ content_width: value === '' ? undefined : Math.round(Number(value)) })}
        />
        <p class="quiet small letter-logo">
          {data?.settings.logo_url
            ? 'The logo and the brand color come'
            : 'There is no logo yet. It comes, as does the brand color,'}{' '}
          from <a href={link('/sending/sender')}>the sender’s settings</a>.
        </p>
      </div>
      <Button small onClick={() => (editor.panel.value = { kind: 'template' })}>
        Save as template
      </Button>
    </details>
  )
}
