import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { data } from '../api/data.ts'
import { can } from '../api/role.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/button.tsx'
import { attention } from '../attention.ts'
import { NAVIGATION, type NavigationEntry } from './navigation.ts'
import { link } from '../api/link.ts'
import { pageOf, place } from './place.ts'
import { PlaceSwitch } from './place-switch.tsx'

interface Props {
  /** Whether it covers the page, on narrow screens. */
  isOpen: boolean
  onClose(): void
}

/** Links to every page of the place. On narrow screens it is a sheet over the page. */
export function SideBar({ isOpen, onClose }: Props) {
  const own = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    own.current?.querySelector<HTMLElement>('a, button')?.focus()
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])
  return (
    <>
      {isOpen && <div class="side-bar-shade" onClick={onClose} />}
      <aside class="side-bar" ref={own}>
        <div class="side-bar-head">
          <PlaceSwitch />
          <span class="side-bar-close">
            <IconButton icon="x" label="Close the menu" onClick={onClose} />
          </span>
        </div>
        <nav aria-label="Pages">
          {NAVIGATION[place().name].map(({ label, entries }) => (
            <Group key={label} label={label} entries={entries.filter(isShown)} />
          ))}
        </nav>
      </aside>
    </>
  )
}

function isShown({ path, role }: NavigationEntry): boolean {
  if (path === '/mailbox' && !data.sandbox) return false
  return pageOf(link(path)) !== null && (role === undefined || can(role))
}

function Group({ label, entries }: { label: string | null; entries: readonly NavigationEntry[] }) {
  if (entries.length === 0) return null
  return (
    <div class="side-bar-group">
      {label !== null && <h2>{label}</h2>}
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.path} {...entry} />
        ))}
      </ul>
    </div>
  )
}

function Entry({ path, also, label, icon }: NavigationEntry) {
  const here = useLocation().path
  const href = link(path)
  const isWithin = (root: string) => here === link(root) || (root !== '/' && here.startsWith(`${link(root)}/`))
  const isCurrent = isWithin(path) || (also !== undefined && isWithin(also))
  const problem = attention.value[path]
  return (
    <li>
      <a href={href} aria-current={isCurrent ? (here === href ? 'page' : 'true') : undefined}>
        <Icon name={icon} />
        <span>{label}</span>
        {problem !== undefined && (
          <span class="side-bar-dot" title={problem}>
            <span class="visually-hidden">{problem}</span>
          </span>
        )}
      </a>
    </li>
  )
}
