import type { TObject } from '@sinclair/typebox'
import type { ErrorCode } from '../../errors.ts'

/** The declared checks that run before the handler of a route. */
interface Checks {
  auth: string
  methods: readonly string[]
  own_pages: boolean
  confirmed: boolean
  operator: boolean
  scope: string | null
  role: string | null
  body: TObject | null
  takes: readonly string[]
  query: TObject
  params: TObject
  params_error: ErrorCode
}

const BODY_ERRORS = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_UPLOADS',
] as const

/** Errors that any route can answer with, some of them before it is known. */
const ALWAYS = ['MISDIRECTED_REQUEST', 'INTERNAL', 'DATABASE_UNAVAILABLE', 'TOO_MANY_UNREAD'] as const

/** The errors that authentication and the checks of the input give a route. */
export function impliedErrors(route: Checks): ErrorCode[] {
  const { auth, methods, scope, role, body, takes, query, params, params_error } = route
  const changes = methods.some((method) => method !== 'GET')
  const codes: (ErrorCode | false)[] = [
    ...ALWAYS,
    auth === 'session' && 'UNAUTHORIZED',
    ...(auth === 'session' || auth === 'oauth' ? (['RATE_LIMITED', 'RATE_LIMIT_UNAVAILABLE'] as const) : []),
    auth === 'client' && 'RATE_LIMIT_UNAVAILABLE',
    // Two session cookies.
    auth === 'session' && 'VALIDATION_FAILED',
    route.confirmed && 'CONFIRMATION_REQUIRED',
    route.operator && 'FORBIDDEN',
    (auth === 'session' || route.own_pages) && changes && 'FORBIDDEN',
    (auth === 'session' || auth === 'oauth') && changes && 'INSUFFICIENT_STORAGE',
    ...(auth === 'oauth' ? (['UNAUTHORIZED', 'INVALID_TOKEN', 'FORBIDDEN'] as const) : []),
    auth === 'metrics' && 'FORBIDDEN',
    scope !== null && 'INSUFFICIENT_SCOPE',
    role !== null && 'PROJECT_NOT_AUTHORIZED',
    role !== null && role !== 'member' && 'INSUFFICIENT_ROLE',
    ...(body ? BODY_ERRORS : takes.length > 0 ? BODY_ERRORS.filter((code) => code !== 'INVALID_JSON') : []),
    Object.keys(query.properties).length > 0 && 'VALIDATION_FAILED',
    Object.keys(params.properties).length > 0 && params_error,
  ]
  return codes.filter((code) => code !== false)
}
