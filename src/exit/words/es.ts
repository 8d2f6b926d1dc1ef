import type { ExitWords } from './exit-words';

export const ES: ExitWords = {
  language: 'Español',
  title: { termination: 'Cancelar su contrato', withdrawal: 'Desistir de su contrato' },
  intro: {
    termination:
      'Rellene el formulario y pulse el botón. Recibirá de inmediato una confirmación con la fecha y la hora.',
    withdrawal:
      'Rellene el formulario y pulse el botón. Recibirá de inmediato una confirmación con la fecha y la hora.',
  },
  other: { termination: 'Cancelar el contrato aquí', withdrawal: 'Desistir del contrato aquí' },
  fillIn: 'Rellenar',
  confirm: 'Confirmar',
  name: 'Su nombre y apellidos',
  contract: 'Su contrato',
  contractHint: 'Por ejemplo, su número de cliente, de contrato o de pedido.',
  email: 'Dirección de correo electrónico para la confirmación',
  termination: 'Tipo de cancelación',
  terminations: {
    ordinary: 'Cancelación ordinaria, sin indicar un motivo',
    extraordinary: 'Cancelación extraordinaria, por causa justificada',
  },
  reason: 'Motivo de la cancelación extraordinaria',
  reasonHint: 'Solo si cancela por causa justificada.',
  when: 'Fecha en la que debe terminar el contrato',
  whenHint: 'Deje este campo vacío para que termine lo antes posible.',
  effect: {
    termination: 'Con este botón usted declara que cancela su contrato.',
    withdrawal: 'Con este botón usted declara que desiste de su contrato.',
  },
  button: { termination: 'Cancelar ahora', withdrawal: 'Confirmar el desistimiento' },
  leaveEmpty: 'Deje este campo vacío',
  faulty: 'Aún no se ha declarado nada. Compruebe lo siguiente:',
  missing: 'Rellene este campo.',
  noEmail: 'Indique una dirección de correo electrónico como name@example.com.',
  tooLong: 'Este texto es demasiado largo.',
  mustBeEmpty: 'Deje este campo vacío.',
  unavailable:
    'En este momento no podemos guardar su declaración. Sin confirmación no se considera recibida. Lo que ha escrito sigue aquí: vuelva a pulsar el botón dentro de un minuto. No pasa nada si lo pulsa dos veces.',
  tooMany: (minutes) =>
    `Su declaración no se ha aceptado porque han llegado demasiadas en poco tiempo. Lo que ha escrito sigue aquí: vuelva a pulsar el botón dentro de ${minutes} min.`,
  otherWays: 'También puede hacerlo de otra forma:',
  toCancellationPage: 'Ir a la página de cancelación',
  writeTo: 'Escriba a',
  notFound: 'No hay nada en esta dirección.',
  receipt: {
    subject: (product) => `Confirmación: ${product}`,
    title: {
      termination: 'Hemos recibido su cancelación',
      withdrawal: 'Hemos recibido su desistimiento',
    },
    lead: 'Esto es lo que ha declarado:',
    number: 'Número',
    received: 'Fecha de recepción',
    kind: 'Declaración',
    kinds: { termination: 'Cancelación del contrato', withdrawal: 'Desistimiento del contrato' },
    product: 'Producto',
    asSoonAsPossible: 'Lo antes posible',
    keep: 'Conserve esta confirmación.',
    alsoByMail: (email) => `También enviamos esta confirmación a ${email}.`,
    asText: 'Guardar como texto',
    asHtml: 'Guardar como página web',
    canceledTitle: 'Hemos recibido su solicitud de cancelación',
    canceledLead: 'Esto es lo que ha pedido:',
    goOn: 'Continúe en',
  },
};
