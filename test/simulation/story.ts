/** Describes commands as a story, one sentence each. */
import { type Command, purchaseName } from './command.ts';
import type { ProviderScript } from './provider-script.ts';
import type { Failure } from './run-seed.ts';

export function tellStory({ commands, tales, wrong }: Omit<Failure, 'seed'>): string {
  return [
    ...commands.flatMap((command, index) => [
      `${String(index + 1).padStart(3)}. ${tell(command)}`,
      ...tellTale(tales[index] ?? []),
    ]),
    ...(tales.length > commands.length ? ['At the end all faults are over, and time goes on.'] : []),
    'Then this is wrong:',
    ...wrong.map((what) => `     ${what}`),
  ].join('\n');
}

/** Leaves out steps that only repeat. */
function tellTale(tale: readonly string[]): string[] {
  return tale.filter((what) => !routine.test(what)).map((what) => `       - ${what}`);
}

const routine =
  /(?:looks into the queue|looks for purchases that are due|says that it lives|looks which gateways live|runs .*)$/;

function tell(command: Command): string {
  switch (command.kind) {
    case 'buy': {
      const { process, reference, product, amount, mode, customers, scripts } = command;
      const [first, ...others] = scripts.map(tellScript);
      const met = `An order of it ${first}; another one ${others.join('; the next ')}.`;
      const customer = product === 'ELECTRICITY' ? ` Its customer is ${customers.join(', then ')}.` : '';
      return `The merchant buys ${purchaseName(reference)}, ${product} for ${amount} naira (${mode}), at gateway ${process + 1}.${customer} ${met}`;
    }
    case 'batch': {
      const { process, file, to, scripts } = command;
      const met = scripts.map(tellScript).join('; the next ');
      return `The merchant uploads file ${file + 1} at gateway ${process + 1}, and its batch is to be ${to}. The order of a row ${met}.`;
    }
    case 'go on':
      return `The next ${command.count} things happen, in the order that ${command.order} draws.`;
    case 'stand still':
      return `Everything stands still for ${command.ms / 1_000} seconds.`;
    case 'work':
      return `All gateways work for ${command.seconds} seconds; their jobs: ${command.jobs}.`;
    case 'freeze':
      return `Gateway ${command.process + 1} stands still for ${command.seconds} seconds.`;
    case 'die':
      return `Gateway ${command.process + 1} dies; what it had sent ${command.arrives ? 'arrives' : 'is lost'}.`;
    case 'lose connection':
      return `A connection to the database breaks, ${command.stored ? 'after' : 'before'} the commit (drawn by ${command.order}).`;
    case 'look up':
      return `The merchant asks gateway ${command.process + 1} for the status of a purchase (drawn by ${command.order}).`;
    case 'call back':
      return `A provider calls gateway ${command.process + 1} back about a purchase (drawn by ${command.order}).`;
    case 'pay in': {
      const { payment, amount, script, process } = command;
      const said =
        script.hesitations.length > 0 ? `; the bank first says: ${script.hesitations.join(', ')}` : '';
      const told = process === undefined ? '' : `; gateway ${process + 1} gets a notice`;
      const listed = script.isListed ? '' : ', and lists it late';
      const slow = script.answersAfterS > 0 ? `; answers take ${script.answersAfterS} seconds` : '';
      return `Payment ${payment} of ${amount} naira comes in at the bank, if it has not yet${told}${said}${listed}${slow}.`;
    }
    case 'notify': {
      const { process, payment, isForged } = command;
      return `A ${isForged ? 'forged' : 'genuine'} notice tells gateway ${process + 1} of payment ${payment}.`;
    }
    case 'credit':
      return `A treasurer corrects the wallet by ${command.amount} naira.`;
    case 'settle':
      return `A supporter settles ${purchaseName(command.reference)} as the provider's books have it.`;
    case 'refund':
      return `A treasurer gives back ${command.part} of 3 parts of a purchase (drawn by ${command.order})${command.times > 1 ? ', and again' : ''}.`;
    case 'set clock': {
      const of = command.of === 'database' ? 'the database' : `gateway ${command.of + 1}`;
      return `The clock of ${of} is set by ${command.seconds} seconds.`;
    }
  }
}

function tellScript(script: ProviderScript): string {
  const { reception, faults, lies, answersAfterS, callsBack, owesFor, worksFor, forgets, takesBack } = script;
  return [
    tellReception(reception),
    ...(reception.includes('refuses') ? [`by the fault of the ${faults.join(', then the ')}`] : []),
    ...(answersAfterS.some((seconds) => seconds > 0)
      ? [`its answers are under way for ${answersAfterS.join(', ')} seconds`]
      : []),
    ...(callsBack > 0 ? [`is called back about ${callsBack} times`] : []),
    ...(owesFor > 0 ? [`a token would come after ${owesFor} questions`] : []),
    ...(lies.length > 0 ? [`is answered to questions with ${lies.join(', ')}`] : []),
    ...(worksFor > 0 ? [`is worked on for ${worksFor} questions`] : []),
    ...(forgets ? ['is forgotten'] : []),
    ...(takesBack ? ['is taken back a day later'] : []),
  ].join(', ');
}

function tellReception(reception: ProviderScript['reception']): string {
  switch (reception) {
    case 'delivers':
      return 'is delivered';
    case 'delivers in silence':
      return 'is delivered and the answer is lost';
    case 'delivers and answers garbage':
      return 'is delivered and the answer is garbage';
    case 'delivers something else':
      return 'is delivered with another amount';
    case 'is never reached':
      return 'is lost on its way';
    case 'takes it and delivers later':
      return 'is taken and delivered later';
    case 'takes it and refuses later':
      return 'is taken and refused later';
    case 'takes it in silence and delivers later':
      return 'is taken without an answer and delivered later';
    case 'takes it in silence and refuses later':
      return 'is taken without an answer and refused later';
    case 'refuses':
      return 'is refused';
    case 'cannot be called':
      return 'cannot be sent';
  }
}
