import { chapterOfCall } from './chapter-list.ts'

/** Where the reference describes a call: its group, which decides the page, and its anchor there. */

/** @param path below the root of the newsletter operations: `/contacts/upsert` */
export function operationGroup(path: string): string {
  const [, first = ''] = path.split('/')
  return ['schema', 'overview', 'render'].includes(first) ? 'project' : first
}

export function operationAnchor(path: string): string {
  return path.slice(1).replaceAll('/', '_').replaceAll('-', '_')
}

/** The first words of a path that say what a route is about. */
export function routeGroup(path: string): string {
  const [first = '', second = '', third = '', fourth = ''] = path.slice(1).split('/')
  if (first === 'user' && second === 'operator') return 'operator'
  if (first === 'user') return second === 'developer' || second === 'review-requests' ? 'developer' : 'account'
  if (['healthz', 'readyz', 'metrics'].includes(first) || second === 'tls') return 'service'
  if (first === '.well-known') return 'oauth'
  if (first === 'general' && second === 'apps') return 'gallery'
  if (path.endsWith('/openapi.json')) return 'service'
  if (first === 'general') return second === 'api' ? fourth : second === 'oauth' ? 'oauth' : third
  return first === 'project' && third !== '' && !second.startsWith(':') ? second : first
}

export function routeAnchor(method: string, path: string): string {
  return [method.toLowerCase(), ...path.split('/').filter(Boolean)].join('_').replace(/\W+/g, '_')
}

const NEWSLETTER = '/newsletter'

/** The chapter of a call by the name that the request log of an app has for its route. */
export function chapterOf(method: string, logged: string): string {
  if (logged.startsWith(`${NEWSLETTER}/`)) {
    const path = logged.slice(NEWSLETTER.length)
    return `/docs/api/${operationGroup(path)}#${operationAnchor(path)}`
  }
  const path = logged.startsWith('/general/') ? logged : `/general/api/v1${logged}`
  const { name } = chapterOfCall({ name: `${method} ${path}`, group: routeGroup(path), auth: 'oauth2' })
  return `/docs/platform/${name}#${routeAnchor(method === 'HEAD' ? 'GET' : method, path)}`
}
