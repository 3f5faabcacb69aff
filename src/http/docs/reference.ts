import { newsletterOpenApi } from '../../newsletter/openapi.ts'
import type { ApiDocuments } from '../../operation/client-types.ts'
import { NEWSLETTER_ROOT } from '../api/operations.ts'
import { routesOpenApi } from '../api/openapi.ts'
import type { Route } from '../core/route.ts'
import { type ApiDocument, type Call, type CallGroup, groupsOf } from '../../shared/calls.ts'
import { SECTIONS } from '../../shared/chapter-list.ts'

/** The whole reference: operations by resource, the other JSON routes by whom they are for and what they are about. */
export interface Reference {
  api: ReadonlyMap<string, CallGroup>
  platform: ReadonlyMap<string, CallGroup>
  /** What both are made from. */
  documents: ApiDocuments
}

/** Made from the two OpenAPI documents, so the reference and they cannot differ. */
export function makeReference(routes: readonly Route[]): Reference {
  const documents = {
    newsletter: newsletterOpenApi(`http://localhost${NEWSLETTER_ROOT}`),
    platform: routesOpenApi(routes, 'http://localhost'),
  }
  return {
    documents,
    api: groupsOf(documents.newsletter as ApiDocument, NEWSLETTER_ROOT, '/docs/api'),
    platform: groupsOf(documents.platform as ApiDocument, '', '/docs/platform'),
  }
}

export type Section = keyof typeof SECTIONS

/** The chapters by section, in their order. */
export function chaptersOf({ api, platform }: Reference): ReadonlyMap<Section, readonly CallGroup[]> {
  const bySection = Map.groupBy([...api.values(), ...platform.values()], ({ section }) => section)
  const sections = Object.keys(SECTIONS) as Section[]
  return new Map(sections.map((section) => [section, bySection.get(section) ?? []]))
}

/** Every call with the address of its place in the reference. */
export function allCalls({ api, platform }: Reference): { call: Call; group: CallGroup; href: string }[] {
  return [...api.values(), ...platform.values()].flatMap((group) =>
    group.calls.map((call) => ({ call, group, href: `${group.href}#${call.anchor}` })),
  )
}
