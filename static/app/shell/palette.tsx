import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect, useMemo } from 'preact/hooks'
import { data } from '../api/data.ts'
import { can } from '../api/role.ts'
import { Dialog } from '../ui/dialog.tsx'
import { NAVIGATION, PLACE_NAMES } from './navigation.ts'
import { type Found, finderOf } from './finders.ts'
import { closePanel, takeTyped } from './panels.ts'
import { link } from '../api/link.ts'
import { PLACES } from '../pages.ts'
import { pageOf, place, scopePattern } from './place.ts'

const PAUSE_MS = 250
const MAX = 8

/** Finds pages and actions of every place that the user may open, and what this place holds by its name or address. */
export function Palette() {
  const { route } = useLocation()
  const text = useSignal(takeTyped())
  const chosen = useSignal(0)
  const resources = useSignal<readonly Found[]>([])
  const state = useSignal<'answered' | 'searching' | 'failed'>('answered')
  const find = useMemo(() => finderOf(place().name), [])
  const ways = useMemo(() => [...ownWays(), ...elsewhere()], [])
  const wanted = text.value.trim().toLowerCase()
  const found = [...ways.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MAX), ...resources.value]
  const current = Math.min(chosen.value, found.length - 1)

  useEffect(() => {
    if (wanted.length < 2) {
      resources.value = []
      state.value = 'answered'
      return
    }
    let isLatest = true
    state.value = 'searching'
    const show = (answers: readonly Found[], next: 'answered' | 'failed') => {
      if (!isLatest) return
      resources.value = answers
      state.value = next
    }
    const timer = setTimeout(() => {
      find(wanted).then(
        (answers) => show(answers, 'answered'),
        () => show([], 'failed'),
      )
    }, PAUSE_MS)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [wanted])

  return (
    <Dialog title="Search" onClose={closePanel} actions={null}>
      <div class="palette" onKeyDown={pressed}>
        <input
          class="input"
          type="text"
          role="combobox"
          list={undefined}
          autofocus
          aria-label="Search pages, actions, people and everything with a name"
          aria-expanded={found.length > 0}
          aria-controls="palette-found"
          aria-activedescendant={found.length > 0 ? `palette-${current}` : undefined}
          placeholder="A page, an action, an address, a name"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            chosen.value = 0
          }}
        />
        <ul id="palette-found" role="listbox" aria-label="Found">
          {found.map(({ label, kind, href }, index) => (
            <li
              key={`${kind} ${href}`}
              id={`palette-${index}`}
              role="option"
              aria-selected={index === current}
              onPointerMove={() => (chosen.value = index)}
              onClick={() => open(href)}
            >
              <span>{label}</span>
              <small>{kind}</small>
            </li>
          ))}
        </ul>
        <p class="quiet" role="status">
          {state.value === 'failed'
            ? 'Only pages and actions were searched: the service gave no answer.'
            : found.length > 0
              ? null
              : state.value === 'searching'
                ? 'Searching…'
                : 'Nothing is called that.'}
        </p>
      </div>
    </Dialog>
  )

  function pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      chosen.value = (current + step + found.length) % found.length
    } else if (event.key === 'Enter' && found[current]) {
      event.preventDefault()
      open(found[current].href)
    }
  }

  function open(href: string): void {
    closePanel()
    if (scopePattern().test(href)) route(href)
    else location.assign(href)
  }
}

/** Actions of the project, with the page of each. */
const ACTIONS = [
  { label: 'New campaign', path: '/campaigns/new' },
  // Templates are created by a button of their page.
  { label: 'New template', path: '/templates' },
  { label: 'Import contacts', path: '/imports/new' },
  { label: 'New segment', path: '/segments/new' },
]

/** What the user may open outside of this place: projects, the other places, the documentation. */
function elsewhere(): Found[] {
  const others = PLACES.filter(
    ({ name }) => name !== 'site' && name !== place().name && (name !== 'operator' || data.user.is_reviewer),
  )
  return [
    ...data.projects
      .filter(({ id }) => id !== data.project?.id)
      .map(({ name, slug }) => ({ label: name, kind: 'Project', href: `/portal/projects/${slug}` })),
    ...others.flatMap(({ name, root }) =>
      NAVIGATION[name]
        .flatMap(({ entries }) => entries)
        .map(({ label, path }) => ({ label, kind: PLACE_NAMES[name], href: path === '/' ? root : root + path })),
    ),
    { label: 'New project', kind: 'Action', href: '/portal/?new' },
    { label: 'Approved apps', kind: 'Gallery', href: '/apps' },
    { label: 'Documentation', kind: 'Guide', href: '/docs' },
  ]
}

/** The pages and actions of this place. */
function ownWays(): Found[] {
  const pages = NAVIGATION[place().name].flatMap(({ entries }) => entries)
  const actions = place().name === 'site' && can('editor') ? ACTIONS : []
  return [
    ...pages.map(({ label, path }) => ({ label, kind: 'Page', href: link(path) })),
    ...actions.map(({ label, path }) => ({ label, kind: 'Action', href: link(path) })),
  ].filter(({ href }) => pageOf(href) !== null)
}
