import { letterName } from '../api/letter-name.ts'
import { useMemo } from 'preact/hooks'
import { read } from '../api/calls.ts'
import { ApiError } from '../api/errors.ts'
import type { CustomField, List, Segment, Tag } from '../api/operations.d.ts'
import { useQuery, useRead } from '../api/query.ts'
import { type FieldGroup, fieldGroups, type RuleField } from './fields.ts'
import { useEvery } from './every.ts'
import { type Group, rulesOf } from './tree.ts'
import type { Names } from './rule-text.ts'

/** What the rules of this project can refer to: its fields, lists, tags and segments. */
export interface Audience {
  groups: readonly FieldGroup[]
  fieldOf(name: string): RuleField | null
  /** Archived ones included. */
  lists: readonly List[]
  tags: readonly Tag[]
  segments: readonly Segment[]
  fields: readonly CustomField[]
  max_rules: number
  max_levels: number
}

/** Null until all of it has loaded. */
export function useAudience(): { audience: Audience | null; error: ApiError | null; reload(): void } {
  const schema = useRead('schema/get', {})
  const fields = useEvery('custom-fields/list', {})
  const lists = useEvery('lists/list', { include_archived: true })
  const tags = useEvery('tags/list', {})
  const segments = useEvery('segments/list', {})
  const parts = [schema, fields, lists, tags, segments]
  const audience = useMemo(() => {
    if (!schema.data || !fields.data || !lists.data || !tags.data || !segments.data) return null
    const groups = fieldGroups(schema.data, fields.data)
    const byName = new Map(groups.flatMap((group) => group.fields.map((field) => [field.name, field])))
    return {
      groups,
      fieldOf: (name: string) => byName.get(name) ?? null,
      lists: lists.data,
      tags: tags.data,
      segments: segments.data,
      fields: fields.data,
      max_rules: schema.data.limits.rules!,
      max_levels: schema.data.limits.rule_levels!,
    }
  }, [schema.data, fields.data, lists.data, tags.data, segments.data])
  const error = parts.find((part) => part.error !== null)?.error ?? null
  return { audience, error, reload: () => parts.forEach((part) => part.reload()) }
}

/** The names of what rules refer to, campaigns included. */
export function useNames(audience: Audience | null, group: Group): Names {
  const campaigns = useCampaignNames(group)
  return useMemo(() => {
    const nameIn = (kind: 'lists' | 'tags' | 'segments') => (id: number) =>
      audience === null ? undefined : (audience[kind].find((entry) => entry.id === id)?.name ?? null)
    return {
      field: (name) => (audience === null ? undefined : audience.fieldOf(name)),
      list: nameIn('lists'),
      tag: nameIn('tags'),
      segment: nameIn('segments'),
      campaign: (id) => campaigns?.get(id),
    }
  }, [audience, campaigns])
}

function useCampaignNames(group: Group): ReadonlyMap<number, string | null> | undefined {
  const ids = rulesOf(group)
    .map(({ value }) => (value as { campaign_id?: unknown } | null | undefined)?.campaign_id)
    .filter((id) => typeof id === 'number')
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b)
  const { data } = useQuery(
    `campaigns/get names of ${wanted.join(',')}`,
    async (signal) =>
      new Map(await Promise.all(wanted.map(async (id) => [id, await campaignName(id, signal)] as const))),
    { enabled: wanted.length > 0 },
  )
  return data
}

/** Null for a campaign that was deleted. */
async function campaignName(campaign_id: number, signal: AbortSignal): Promise<string | null> {
  try {
    return letterName((await read('campaigns/get', { campaign_id }, signal)).campaign)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
