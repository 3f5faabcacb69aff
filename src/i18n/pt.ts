import type { Translations } from './translations.ts'

export const pt: Translations = {
  lang: 'pt',
  not_found: [
    'Esta ligação não funciona',
    'Está incompleta ou foi alterada pelo caminho. Abra-a novamente a partir da mensagem, por favor.',
  ],
  gone: [
    'Esta ligação já não é válida',
    'O seu endereço já não está guardado aqui, pelo que não precisa de fazer mais nada.',
  ],
  failed: ['Algo correu mal', 'Tente novamente dentro de momentos, por favor.'],
  test_message: ['Esta era uma mensagem de teste', 'As suas ligações não têm qualquer efeito.'],
  confirm: {
    title: 'Confirme a sua subscrição',
    text: (names, address) => `Assim que confirmar, as mensagens de ${names} serão enviadas para ${address}.`,
    button: 'Confirmar a minha subscrição',
    hint: 'Se não fez este pedido, basta fechar esta página: sem a sua confirmação, nada será enviado.',
  },
  confirmed: [
    'A sua subscrição está confirmada',
    (names) => `Agradecemos a confirmação. A partir de agora, receberá as mensagens de ${names}.`,
  ],
  nothing_to_confirm: [
    'Não há nada para confirmar',
    'A sua subscrição já foi confirmada ou, entretanto, foi cancelada.',
  ],
  unsubscribe: {
    title: 'Cancelar a subscrição',
    text: (address) => `Que mensagens não devem continuar a ser enviadas para ${address}?`,
    lists: (names) => `Cancelar a subscrição de ${names}`,
    everything: 'Cancelar todas as subscrições',
    preferences: 'Prefiro escolher as minhas listas',
  },
  unsubscribed: ['A sua subscrição foi cancelada', (address) => `Não serão enviadas mais mensagens para ${address}.`],
  unsubscribed_lists: ['A sua subscrição foi cancelada', (names) => `Deixará de receber as mensagens de ${names}.`],
  preferences: {
    title: 'As suas preferências',
    text: (address) => `Escolha as mensagens que devem ser enviadas para ${address}.`,
    legend: 'Listas',
    pending: 'A aguardar a sua confirmação; assinale a caixa para confirmar agora.',
    none: 'Não há listas disponíveis para escolher.',
    save: 'Guardar',
    unsubscribe_all: 'Cancelar todas as subscrições',
    saved: 'A sua escolha foi guardada.',
    blocked:
      'O envio de mensagens para este endereço está bloqueado, pelo que não foi possível subscrever uma ' +
      'lista. Contacte o remetente, por favor.',
    unsubscribed: 'Todas as suas subscrições foram canceladas. Para voltar a receber uma lista, assinale-a e guarde.',
  },
  forms: {
    sent: ['Agradecemos o seu contacto', 'A sua mensagem foi enviada.'],
    signed_up: [
      'Agradecemos o seu interesse',
      'Se for necessária uma confirmação, já vai a caminho da sua caixa de correio.',
    ],
    refused: [
      'O envio não foi efetuado',
      'Falta algum dado ou algo não está correto. Volte atrás e verifique o que introduziu, por favor.',
    ],
    too_many: ['Aguarde um momento, por favor', 'Foram feitos demasiados envios. Tente novamente dentro de um minuto.'],
    failed: ['Algo correu mal', 'Tente novamente dentro de momentos, por favor.'],
  },
  confirmation: {
    subject: (project) => `${project}: confirme a sua subscrição`,
    request: (project) => `Pediu para receber mensagens de ${project}. Confirme, por favor, que este endereço é seu.`,
    button: 'Confirmar a minha subscrição',
    closing: 'Se não fez este pedido, não precisa de fazer nada: sem a sua confirmação, nada será enviado.',
  },
  sign_up: { button: 'Subscrever' },
  own_link: {
    title: 'Gerir a subscrição',
    text: 'Introduza o endereço que recebe estas mensagens. Enviaremos para lá uma ligação pessoal.',
    email: 'Endereço de e-mail',
    button: 'Enviar a ligação',
    sent: 'Se este endereço recebe as nossas mensagens, a ligação vai a caminho.',
    subject: (project) => `A sua ligação para ${project}`,
    request: (project) =>
      `Pediu a ligação para a sua subscrição de ${project}. Abre a página onde escolhe listas ou cancela a subscrição.`,
    closing: 'Se não fez este pedido, não precisa de fazer nada. Nada mudou.',
  },
  letters: {
    title: 'Cartas enviadas',
    older: 'Mais antigas',
    newer: 'Mais recentes',
    none: 'Ainda não foi enviado nada.',
  },
  email: {
    unsubscribe: 'Cancelar a subscrição',
    preferences: 'Preferências',
    view: 'Ver no navegador',
    read_more: 'Ler mais',
  },
  consent: {
    label: 'Consentimento',
    question: 'Este site pode usar serviços que não são essenciais?',
    accept: 'Aceitar',
    decline: 'Recusar',
    choose: 'Escolher',
    save: 'Guardar a escolha',
    reopen: 'Opções de privacidade',
    privacy: 'Privacidade',
    functional: 'Funcionais',
    functional_purpose: 'Extras como chats, mapas e vídeos.',
    analytics: 'Estatísticas',
    analytics_purpose: 'Contam as visitas para que o site melhore.',
    advertising: 'Publicidade',
    advertising_purpose: 'Mostra anúncios e mede o seu efeito.',
  },
  form_notice: {
    entries: (count) => `Novas respostas nos seus formulários: ${count}`,
    more: (count) => `Outras respostas: ${count}`,
    button: 'Ler no Masthead',
    closing: (project) =>
      `Recebe esta mensagem porque o projeto «${project}» lhe comunica o que os seus formulários recebem.`,
  },
}
