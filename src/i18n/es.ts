import type { Translations } from './translations.ts'

export const es: Translations = {
  lang: 'es',
  not_found: [
    'Este enlace no funciona',
    'Está incompleto o se modificó por el camino. Ábralo de nuevo desde el mensaje, por favor.',
  ],
  gone: ['Este enlace ya no es válido', 'Su dirección ya no está guardada aquí, así que no tiene que hacer nada más.'],
  failed: ['Algo ha salido mal', 'Vuelva a intentarlo en un momento, por favor.'],
  test_message: ['Este era un mensaje de prueba', 'Sus enlaces no tienen ningún efecto.'],
  confirm: {
    title: 'Confirme su suscripción',
    text: (names, address) => `En cuanto confirme su suscripción a ${names}, los mensajes se enviarán a ${address}.`,
    button: 'Confirmar mi suscripción',
    hint:
      'Si no ha sido usted quien lo ha solicitado, simplemente cierre esta página: sin su confirmación no se ' +
      'enviará nada.',
  },
  confirmed: [
    'Su suscripción está confirmada',
    (names) => `Gracias. A partir de ahora recibirá los mensajes de ${names}.`,
  ],
  nothing_to_confirm: [
    'No hay nada que confirmar',
    'Su suscripción ya se confirmó, o bien se ha cancelado desde entonces.',
  ],
  unsubscribe: {
    title: 'Cancelar la suscripción',
    text: (address) => `¿Qué mensajes no deben enviarse más a ${address}?`,
    lists: (names) => `Cancelar la suscripción a ${names}`,
    everything: 'Cancelar todas las suscripciones',
    preferences: 'Prefiero elegir mis listas',
  },
  unsubscribed: ['Su suscripción se ha cancelado', (address) => `No se enviarán más mensajes a ${address}.`],
  unsubscribed_lists: ['Su suscripción se ha cancelado', (names) => `Ya no recibirá los mensajes de ${names}.`],
  preferences: {
    title: 'Sus preferencias',
    text: (address) => `Elija qué mensajes se envían a ${address}.`,
    legend: 'Listas',
    pending: 'Pendiente de su confirmación; marque la casilla para confirmar ahora.',
    none: 'No hay listas entre las que elegir.',
    save: 'Guardar',
    unsubscribe_all: 'Cancelar todas las suscripciones',
    saved: 'Su selección se ha guardado.',
    blocked:
      'Los envíos a esta dirección están bloqueados, por lo que no ha sido posible la suscripción a una ' +
      'lista. Póngase en contacto con el remitente, por favor.',
    unsubscribed: 'Ya no tiene ninguna suscripción. Para volver a recibir una lista, márquela y guarde los cambios.',
  },
  forms: {
    sent: ['Gracias', 'Su mensaje se ha enviado.'],
    signed_up: ['Gracias', 'Si hace falta una confirmación, ya está de camino a su buzón.'],
    refused: [
      'No se ha podido enviar',
      'Falta algún dato o no es correcto. Vuelva atrás y revise lo que ha introducido, por favor.',
    ],
    too_many: ['Espere un momento, por favor', 'Se han hecho demasiados envíos. Vuelva a intentarlo en un minuto.'],
    failed: ['Algo ha salido mal', 'Vuelva a intentarlo en un momento, por favor.'],
  },
  confirmation: {
    subject: (project) => `Confirme su suscripción a ${project}`,
    request: (project) =>
      `Ha solicitado recibir mensajes de ${project}. Confirme, por favor, que esta es su dirección.`,
    button: 'Confirmar mi suscripción',
    closing:
      'Si no ha sido usted quien lo ha solicitado, no tiene que hacer nada: sin su confirmación no se enviará nada.',
  },
  sign_up: { button: 'Suscribirme' },
  own_link: {
    title: 'Gestionar su suscripción',
    text: 'Escriba la dirección que recibe estos mensajes. Le enviaremos un enlace personal.',
    email: 'Correo electrónico',
    button: 'Enviar el enlace',
    sent: 'Si esta dirección recibe nuestros mensajes, el enlace está en camino.',
    subject: (project) => `Su enlace para ${project}`,
    request: (project) =>
      `Ha pedido el enlace a su suscripción a ${project}. Abre la página en la que puede elegir listas o darse de baja.`,
    closing: 'Si no lo ha pedido, no tiene que hacer nada. No ha cambiado nada.',
  },
  letters: {
    title: 'Cartas enviadas',
    older: 'Anteriores',
    newer: 'Más recientes',
    none: 'Todavía no se ha enviado nada.',
  },
  email: {
    unsubscribe: 'Cancelar la suscripción',
    preferences: 'Preferencias',
    view: 'Ver en el navegador',
    read_more: 'Leer más',
  },
  consent: {
    label: 'Consentimiento',
    question: '¿Puede este sitio usar servicios que no son imprescindibles?',
    accept: 'Aceptar',
    decline: 'Rechazar',
    choose: 'Elegir',
    save: 'Guardar la elección',
    reopen: 'Opciones de privacidad',
    privacy: 'Privacidad',
    functional: 'Funcionales',
    functional_purpose: 'Extras como chats, mapas y vídeos.',
    analytics: 'Analítica',
    analytics_purpose: 'Cuenta las visitas para que el sitio mejore.',
    advertising: 'Publicidad',
    advertising_purpose: 'Muestra anuncios y mide su efecto.',
  },
  form_notice: {
    entries: (count) => `Nuevas respuestas de sus formularios: ${count}`,
    more: (count) => `Otras respuestas: ${count}`,
    button: 'Leerlas en Masthead',
    closing: (project) =>
      `Recibe este mensaje porque el proyecto «${project}» le informa de lo que reciben sus formularios.`,
  },
}
