import { useSignal } from '@preact/signals'
import { data } from '../api/data.ts'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { PLACE_NAMES } from './navigation.ts'
import { place } from './place.ts'

const SEARCH_FROM = 5

/** The name of the project or place, which opens the list of all others. */
export function PlaceSwitch() {
  const name = data.project?.name ?? PLACE_NAMES[place().name]
  return (
    <Popover
      label={`${name}: projects and places`}
      trigger={
        <>
          <span class="word-mark" aria-hidden="true" />
          <span class="place-name">{name}</span>
          <Icon name="chevron-down" />
        </>
      }
    >
      <Places />
    </Popover>
  )
}

function Places() {
  const search = useSignal('')
  const wanted = search.value.toLowerCase()
  const found = data.projects.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
  return (
    <div class="places">
      {data.projects.length >= SEARCH_FROM && (
        <input
          type="search"
          class="input"
          aria-label="Search projects"
          placeholder="Search projects"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      )}
      <ul>
        {found.map(({ id, slug, name, role }) => (
          <li key={id}>
            <a
              href={`/portal/projects/${slug}`}
              target="_self"
              aria-current={id === data.project?.id ? 'true' : undefined}
            >
              <span>{name}</span>
              <small>{role}</small>
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 && wanted !== '' && <p class="quiet">No project is called that.</p>}
      <ul>
        <li>
          <a href="/portal/?new">New project</a>
        </li>
        <li>
          <a href="/portal/developer">Developer</a>
        </li>
        {data.user.is_reviewer && (
          <li>
            <a href="/portal/operator/reviews">Operator</a>
          </li>
        )}
      </ul>
    </div>
  )
}
