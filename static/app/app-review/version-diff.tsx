import { useLocation } from 'preact-iso'
import type { RouteResponse } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { link } from '../api/link.ts'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Switch } from '../ui/choice.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { LineDiff } from './line-diff.tsx'

type FullVersion = RouteResponse<'GET /user/developer/apps/:id/versions/:versionId'>['version']
type ListedVersion = Pick<FullVersion, 'id' | 'number' | 'status' | 'live'>

/** The content of a version, or of a draft. */
export type Contents = Pick<
  FullVersion,
  'displayName' | 'description' | 'homepage' | 'redirect_uris' | 'scripts' | 'listing' | 'scopes' | 'scope_reasons'
>

/** The version to compare with: the one that sites run; for that one and older ones, the approved version before it. */
export function versionBefore<V extends ListedVersion>(versions: readonly V[], id: number): V | undefined {
  const { number } = versions.find((version) => version.id === id)!
  const live = versions.find((version) => version.live)
  if (live && live.number < number) return live
  return versions
    .filter((version) => version.status === 'approved' && version.number < number)
    .toSorted((one, other) => other.number - one.number)[0]
}

/** The scopes that one version asks for and the other does not. */
export function newScopes(now: Contents, before: Contents | null): string[] {
  return now.scopes.filter((scope) => !before?.scopes.includes(scope))
}

/** The differences between two versions: scopes, addresses, scripts and listing. */
export function VersionDiff({ now, before }: { now: Contents; before: Contents | null }) {
  const { path, query, route } = useLocation()
  const beside = query.diff === 'beside'
  const changed = (title: string, text: string, old: string | null, label = title) =>
    text === (old ?? '')
      ? []
      : [
          <Card key={title} title={title}>
            <LineDiff label={`${label}, ${title}`} before={old ?? ''} after={text} beside={beside} />
          </Card>,
        ]
  const parts = [
    ...(isSame(scopesOf(now), scopesOf(before)) ? [] : [<Scopes key="scopes" now={now} before={before} />]),
    ...changed('Where people are sent back', addressesOf(now), before && addressesOf(before)),
    ...now.scripts.flatMap((script) => {
      const old = before?.scripts.find(({ id }) => id === script.id)
      return [
        ...changed(`Script ${script.name}`, script.code, old?.code ?? null, 'Code'),
        ...changed(`How ${script.name} runs`, settingsOf(script), old ? settingsOf(old) : null),
      ]
    }),
    ...(before?.scripts ?? [])
      .filter(({ id }) => !now.scripts.some((script) => script.id === id))
      .map(({ id, name }) => <Callout key={id} tone="wait" title={`The script ${name} is gone.`} />),
    ...changed('Name and listing', wordsOf(now), before && wordsOf(before)),
  ]
  return (
    <>
      {before === null && <Callout title="This is the first version: sites have nothing of it yet." />}
      {before !== null && parts.length > 0 && (
        <div class="diff-way">
          <Switch
            label="Side by side"
            checked={beside}
            onChange={(on) =>
              route(link(path.slice(data.scope.length) || '/', { ...query, diff: on ? 'beside' : null }), true)
            }
          />
        </div>
      )}
      {parts.length === 0 ? <p class="quiet">Nothing differs.</p> : parts}
    </>
  )
}

function Scopes({ now, before }: { now: Contents; before: Contents | null }) {
  const added = newScopes(now, before)
  const removed = before?.scopes.filter((scope) => !now.scopes.includes(scope)) ?? []
  const reasoned = now.scopes.filter(
    (scope) => before?.scopes.includes(scope) && reasonOf(before, scope) !== reasonOf(now, scope),
  )
  return (
    <Card title="Permissions">
      <ul class="plain-list">
        {added.map((scope) => (
          <li key={scope}>
            <StatusBadge tone="wait">New</StatusBadge> <code>{scope}</code> {reasonOf(now, scope)}
          </li>
        ))}
        {removed.map((scope) => (
          <li key={scope}>
            <StatusBadge>Gone</StatusBadge> <code>{scope}</code>
          </li>
        ))}
        {reasoned.map((scope) => (
          <li key={scope}>
            <StatusBadge>New reason</StatusBadge> <code>{scope}</code> {reasonOf(now, scope)}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function reasonOf({ scope_reasons }: Contents, scope: string): string {
  return scope_reasons[scope] || 'No reason is given.'
}

function scopesOf(of: Contents | null): string[] {
  return of?.scopes.map((scope) => `${scope} ${reasonOf(of, scope)}`) ?? []
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry))
}

function addressesOf({ redirect_uris }: Contents): string {
  return redirect_uris.join('\n')
}

function settingsOf({ name, type, placement, parameters, parameter_formats }: Contents['scripts'][number]): string {
  const values = Object.entries(parameters).map(([key, value]) => {
    const format = parameter_formats[key] === 'html' ? ' (HTML)' : ''
    return `{{${key}}}${format} = ${String(value ?? '')}`
  })
  return [name, type, placement, ...values.toSorted()].join('\n')
}

function wordsOf({ displayName, description, homepage, listing }: Contents): string {
  const { tagline, icon_url, screenshots, support_url, privacy_url, category } = listing
  return [
    ...[displayName, homepage, description, tagline, listing.description, category],
    ...[support_url, privacy_url, icon_url, ...screenshots],
  ]
    .filter(Boolean)
    .join('\n')
}
