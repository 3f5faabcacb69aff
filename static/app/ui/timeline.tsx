import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import { dateTime } from './format.ts'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './state.tsx'

export interface TimelineItem {
  id: string
  at: string
  icon?: IconName
  tone?: Tone
  title: ComponentChildren
  children?: ComponentChildren
  /** Drawn as a document: evidence. */
  document?: boolean
}

/** Events in order. */
export function Timeline({ items, label, zone }: { items: readonly TimelineItem[]; label: string; zone?: string }) {
  return (
    <ol class="timeline" aria-label={label}>
      {items.map((item) => (
        <li class={classes('timeline-item', `tone-${item.tone ?? 'quiet'}`)} key={item.id}>
          <span class="timeline-sign" aria-hidden="true">
            {item.icon ? <Icon name={item.icon} size={14} /> : <span class="timeline-point" />}
          </span>
          <div class={classes('timeline-body', item.document && 'timeline-document')}>
            <div class="timeline-head">
              <span class="timeline-title">{item.title}</span>
              <time class="timeline-time" dateTime={item.at}>
                {dateTime(item.at, zone)}
              </time>
            </div>
            {item.children}
          </div>
        </li>
      ))}
    </ol>
  )
}
