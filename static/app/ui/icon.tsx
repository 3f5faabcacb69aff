import { classes } from './classes.ts'
import { ICONS } from './icon-paths.ts'

export type IconName = keyof typeof ICONS

/** Icons with a direction, which are mirrored where text runs from right to left. */
const DIRECTED: ReadonlySet<IconName> = new Set<IconName>([
  'align-end',
  'align-start',
  'arrow-left',
  'arrow-right',
  'chevron-left',
  'chevron-right',
  'external',
  'list',
  'redo',
  'send',
  'sign-out',
  'undo',
])

/** An icon in the color of the text. Without `label` it is decorative. */
export function Icon({ name, label, size = 16 }: { name: IconName; label?: string; size?: number }) {
  return (
    <svg
      class={classes('icon', DIRECTED.has(name) && 'icon-directed')}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      <path d={ICONS[name]} />
    </svg>
  )
}
