import { calendarOf } from "./calendar.ts";
import { createAccess, createAccessApi, createAccessPart } from "./access/index.ts";
import { DEFAULT_CONTEXT_WINDOW, knownModels } from "./agent/index.ts";
import * as alerting from "./alerts/index.ts";
import { createApprovals, createHostApprovals, isApprovalKey, withRightsNow } from "./approvals/index.ts";
import { createAttention } from "./attention/index.ts";
import { createArtifacts, createArtifactsApi, createLongResults } from "./artifacts/index.ts";
import { wireBelonging, wireCapitals, wireErasure } from "./assembly/index.ts";
import { checkCalls } from "./assistant-calls.ts";
import type { Assistant } from "./assistant-types.ts";
import { createButtons } from "./buttons/index.ts";
import { createChannels } from "./channels.ts";
import { inWholeMs, systemClock } from "./clock.ts";
import { type AssistantOptions, problemOfContext, readOptions, validateOptions } from "./config/index.ts";
import {
  DEFAULT_PERSONA_FILE_TOKENS,
  createContextSources,
  hostSources,
  loadedHistoryTurns,
  peopleSources,
  editedSummary,
  mostHistoryTokens,
  personaSources,
} from "./context/index.ts";
import { createDelivery, createEditSent, createShipping } from "./delivery/index.ts";
import { createDefaultEngine } from "./engine/index.ts";
import { messageOf } from "./errors.ts";
import { createEventBus } from "./events/index.ts";
import { createGuardedFetch } from "./guard/index.ts";
import * as http from "./http/index.ts";
import * as inbox from "./inbox/index.ts";
import { createGoalFiles } from "./goals/index.ts";
import { createGatewayState } from "./gateway-state.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createChannelStatuses, createConnect, createLeases, createListeners } from "./listening/index.ts";
import { createCapturesUnderWay, openMemory } from "./memory/index.ts";
import { createHostChannel, createNotifications } from "./notifications/index.ts";
import {
  createHostAttention,
  createLimitsInForce,
  createNotify,
  createPassOn,
  createScoreNotice,
  createTellDecision,
} from "./notify/index.ts";
import { DEAD_LETTERS_KEY, createDeadLetters, createOutbox } from "./outbox/index.ts";
import { createPeopleNotes } from "./people/index.ts";
import { createPersona } from "./persona/index.ts";
import type { Platform } from "./platform.ts";
import { OWNER_ROLE, createAuditedPolicy } from "./policy/index.ts";
import {
  createExplainContext,
  createHookRegistry,
  createMemoryMerges,
  RECALL_OPTIONS,
  REFRESH_OPTIONS,
  createDailySummary,
  createMemoryCapture,
  createSecondLook,
  GOAL_CONTEXT_OPTIONS,
  createHomes,
  createHostGoals,
  createRemembering,
  createReviewedGoals,
  cadenceProblem,
  goalContext,
  iterationRefresh,
  memoryRecall,
  memorySources,
  subscribeMemoryFlush,
  SKILL_ACTIVATION_OPTIONS,
  SKILL_LEARNING_OPTIONS,
  activationRecorder,
  createFeedbackButtons,
  createEvidence,
  createFindings,
  createOfferedTo,
  createLookForPatterns,
  createNoteSaid,
  createPatternAnswers,
  createPatternPromises,
  createProactiveApi,
  createRecogniser,
  createSkillFeedback,
  createSkillLearning,
  createTellFinding,
  INITIATIVE_OPTIONS,
  PATTERN_DETECTORS,
  PATTERN_OFFER,
  initiativeHook,
  ownDetector,
  skillActivation,
  skillCatalogue,
  skillSlots,
  skillsForTool,
} from "./proactive/index.ts";
import { createRetention } from "./retention/index.ts";
import { createSkillErasure, createSkillsApi, openRegistries, openSkills } from "./skills/index.ts";
import * as schedule from "./schedule/index.ts";
import * as session from "./session/index.ts";
import { openStore } from "./store/index.ts";
import {
  createAudit,
  createMetrics,
  createRedaction,
  createTracing,
  secretsOfObjects,
  errorLogger,
  leftOut,
  redactingLogger,
} from "./telemetry/index.ts";
import * as tools from "./tools/index.ts";
import * as turn from "./turn/index.ts";
import { createUsage } from "./usage/index.ts";
import { VERSION } from "./version.ts";
import * as work from "./work/index.ts";
import { createSubagentErasure, createSubagents } from "./subagents/index.ts";
import * as workflow from "./workflow/index.ts";

/**
 * Creates an assistant: checks the options once and wires the rooms. Nothing runs before `start()`, `send()` or `fetch()`.
 *
 * @param runtime What the runtime provides; members of the option `platform` replace its own.
 * @throws {AssistantError} `OPTION_INVALID` naming the option, the value and what was expected; `STORE_UNSUITABLE` for a
 * store without logs or compare-and-set.
 * @example
 * ```ts
 * const assistant = await createAssistant({ model: openai("gpt-5"), store: await fsStore({ root: ".wakeful" }) });
 * const reply = await assistant.send({ text: "Hello" });
 * ```
 */
export async function createAssistant(
  given: AssistantOptions,
  runtime: Omit<Platform, "shellParser">,
): Promise<Assistant> {
  const { options, warnings, secrets } = await readOptions(given);
  const platform = { ...runtime, ...options.platform };
  const { yaml } = platform;

  // Ground
  const clock = options.clock ? inWholeMs(options.clock) : systemClock(platform);
  const redaction = createRedaction([...secrets, ...secretsOfObjects(options)]);
  const { redact, redactForModel } = redaction;
  const logger = redactingLogger(options.logger ?? errorLogger, redact);
  const store = await openStore(options.store, { platform, logger });
  const metrics = createMetrics();
  const { enabled: hasTelemetry = true, api: telemetryApi } = options.telemetry ?? {};
  const findTelemetry = () => (hasTelemetry ? (telemetryApi ?? platform.telemetry?.()) : undefined);
  const tracing = createTracing({ find: findTelemetry, metrics, logger });
  const audit = createAudit({ store, clock, redact, logger, metrics });
  const events = createEventBus({
    clock,
    metrics,
    onFailure: ({ handler, error }) => logger.error("An event handler failed", { handler, error: messageOf(error) }),
  });
  const hooks = createHookRegistry({ events }, options.hooks);
  const engine = options.engine ?? createDefaultEngine({ store, clock, metrics, logger });
  const ground = { store, clock, engine, events, metrics, audit, logger };
  for (const warning of warnings) logger.warn(warning);
  const warns = (message: string) => (error: unknown) => logger.warn(message, { error: messageOf(error) });
  const channels = createChannels(options.channels ?? [], options.fetch);
  const { hosts, publicUrl, rateLimit, trustedProxies } = options.server ?? {};
  const channelStatuses = createChannelStatuses(channels.all, { publicUrl, redact });
  const agents = turn.readAgents(options);
  const agentIdOf = (sessionKey: string) => agents.ofSession(sessionKey).id;
  const captureModel = options.memory?.capture?.model;
  const capturing = captureModel === undefined ? undefined : agents.withModel("memory.capture.model", captureModel);
  const timezone = options.timezone ?? "UTC";
  const person = (user: string) => options.users?.[user];
  const contextOptions = (message: session.InRecord) => ({
    ...options.context,
    ...channels.of(message)?.access.context,
  });

  // Keepers
  const fetching = {
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.lookup && { lookup: options.lookup }),
  };
  const historyTokens = mostHistoryTokens([options.context, ...channels.all.map((one) => one.access.context)]);
  const fullWindowTurns = loadedHistoryTurns(historyTokens);
  const waiters = session.createWaiters(platform.keepAlive);
  const sessions = session.createSessions({
    store,
    clock,
    filled: ({ history }) => history.length >= fullWindowTurns,
    onReply: waiters.settle,
  });
  const summaries = session.createSummaries({ store });
  const running = session.createRunningTurns();
  const outbox = createOutbox({ store, engine, clock });
  const deadLetters = createDeadLetters({ store, engine, clock, outbox });
  const { artifacts: keepDays } = options.retention ?? {};
  const artifacts = createArtifacts({
    store,
    clock,
    logger,
    ...options.artifacts,
    ...(keepDays !== undefined && { keepDays }),
  });
  const life = session.createSessionLife({
    sessions,
    events,
    clock,
    idleMinutes: options.session?.idleMinutes,
    leavings: [artifacts, tools.createPlans({ store })],
  });
  const notifications = createNotifications({ store, clock, events, metrics, logger });
  const host = createHostChannel({ notifications, enqueue: outbox.enqueue, deliver: options.deliver });
  const editSent = createEditSent({ outbox, channels, clock, logger });
  const takeButtons = inbox.createTakeButtons({ editSent });
  const access = createAccess({
    ...ground,
    ownerIds: options.owner?.ids ?? [],
    roles: options.roles ?? {},
  });
  const { owners } = access;
  const { keepsCapitals } = channels;
  const users = session.createMemoryUsers({ session: options.session ?? {}, ownerIds: owners.all, keepsCapitals });
  const persons = session.createPersons({
    users,
    configured: person,
    timezone,
    channels: channels.all.map(({ name }) => name),
  });
  const { timezoneOf, timezoneOfMemory } = persons;
  const buttons = createButtons({ store, clock, logger });
  const { scorer, ...givenLimits } = options.attention ?? {};
  const limits = createLimitsInForce(givenLimits, { check: validateOptions, audit });
  const attention = createAttention({
    ...ground,
    configOf: (userId) => ({ ...limits.now(), timezone: timezoneOfMemory(userId) }),
  });
  const findings = createFindings({ store, clock });
  const noteSaid = createNoteSaid({ findings, canonicalUser: users.canonicalUser, logger });
  const unasked = createNotify(
    {
      attention,
      personOf: persons.of,
      passOn: createPassOn({
        channels,
        enqueue: outbox.enqueue,
        isOwner: persons.isOwner,
        // The owner's page shows what is for whoever is at it.
        keep: (message) => notifications.keep({ ...message, user: "web" }),
        tellHost: host.tell,
        offer: buttons.offer,
        addNote: sessions.addNote,
        noteSaid,
      }),
      tell: createTellDecision(ground),
      reachAt: (user) => person(user)?.noticesTo,
      score: createScoreNotice({ scorer, clock, logger }),
      logger,
    },
    limits,
  );
  const { notify } = unasked;
  access.start(inbox.createAccessMessages({ outbox, notify, channels: channels.all, takeButtons, logger }));
  const notes = createPeopleNotes({ store, clock, redact: redactForModel });
  const persona = createPersona({ store, clock, redact: redactForModel });
  const { enabled: keepsJobs = true, ...scheduling } = options.scheduler ?? {};
  const jobs = schedule.createJobs({ ...ground, yaml }, { ...scheduling, timezone });
  const runs = schedule.createRuns({ store, clock });
  const { enabled: hasSkills = true, autoActivation = {}, ...skillOptions } = options.skills ?? {};
  const { registries = [] } = options;
  const installs = registries.length > 0;
  const skills = openSkills(skillOptions, {
    ...ground,
    platform,
    patterns: options.patterns,
    channels: channels.all.map(({ name }) => name),
    registries: openRegistries(registries, (trustedOrigins) =>
      createGuardedFetch({ clock, ...fetching, trustedOrigins }, platform.network),
    ),
  });
  const {
    enabled: keepsWorkflows = true,
    maxParallel = workflow.DEFAULT_MAX_PARALLEL,
    definitions,
  } = options.workflow ?? {};
  const workflowDefinitions = workflow.createDefinitions(
    { store, yaml, builtIn: workflow.BUILT_IN_WORKFLOWS },
    definitions,
  );
  const workflowRuns = workflow.createRuns({ store, clock, logger });
  const goalFiles = createGoalFiles({ store, clock, yaml, logger, cadenceProblem });
  const usage = createUsage({
    ...ground,
    timezone,
    budget: options.budget,
    ...knownModels([...new Set([...agents.models, ...(capturing?.models ?? [])])], options.modelInfo),
  });
  const capitals = wireCapitals({ store, engine, logger }, sessions, users);

  // Makers
  const modelCalls = turn.createModelCalls({
    usage,
    modelInfo: options.modelInfo,
    contextWindow: options.context?.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    isTracing: platform.isTracing,
    artifacts,
    clock,
    logger,
    metrics,
    tracing,
  });
  const memoryOptions = options.memory ?? {};
  const captures = createCapturesUnderWay({ clock });
  const opened = await openMemory(memoryOptions, {
    ...ground,
    yaml,
    redact: redactForModel,
    canonicalUser: users.canonicalUser,
    timezoneOf: timezoneOfMemory,
    summarise: createMemoryMerges({
      model: turn.createBackgroundModel({ modelCalls, agent: agents.default, clock }),
      store,
      clock,
      redact: redactForModel,
    }),
  });
  const remembers = memoryOptions.enabled ?? true;
  const { memoryUserOf } = users;
  const keepLong = createLongResults({
    artifacts,
    thresholdBytes: options.artifacts?.thresholdBytes,
    onFailure: warns("A long result could not be kept"),
  });
  const mcp = await tools.loadMcpManager(
    options.mcp?.servers,
    { clock, version: VERSION, platform, client: options.mcp?.client, ...fetching },
    { ...ground, redact: redactForModel },
  );
  // Skills: known good ways of working, learnt from people's work, judged by their feedback
  const offered = createOfferedTo({ offers: skills.offers, memoryUserOf, skillsOf: agents.skillsOf });
  const giveFeedback = createSkillFeedback({ ...ground, activations: skills.activations });
  const learning = createSkillLearning({
    ...ground,
    memory: opened.behind,
    users,
    suggestions: skills.suggestions,
    lessons: skills.lessons,
    lock: opened.lock,
  });
  // Work: jobs at their due time
  const mayHaveEnded = work.createRunSessionWakes({ engine });
  const claims = work.createClaims({ runs, engine });
  const scheduler = work.createScheduler({ ...ground, jobs, runs, claims });
  const { arm, runNow } = scheduler;
  const jobService = schedule.createJobService({ jobs, runs, arm, runNow, timezoneOf, clock }, scheduling);
  // Workflows: long work in steps, which outlives turns and processes
  const liveRuns = work.createLiveRuns(platform.keepAlive);
  const progress = work.createProgress({ ...ground, notify, editSent, sessions, timezoneOf });
  const chains = work.createChains({ offered, enabled: hasSkills });
  const workflows = work.createWorkflowService({
    ...ground,
    definitions: workflowDefinitions,
    chainOf: chains.find,
    runs: workflowRuns,
    progress,
    live: liveRuns,
  });
  // Sub-agents: tasks that a turn delegates
  const slots = session.createSlots(options.queue?.maxConcurrent ?? session.DEFAULT_MAX_CONCURRENT, metrics);
  const stopSession = work.createStopSession({ sessions, running, engine });
  const { enabled: handsOn = true, ...subagentLimits } = options.subagents ?? {};
  const subagents = createSubagents({ store, clock, logger }, subagentLimits);
  const spending = work.createSpending({ runs: workflowRuns, sessions, subagents });
  const handing = {
    ...ground,
    subagents,
    sessions,
    live: work.createLiveSubagents(),
    news: work.createSubagentNews(ground),
  };
  const subagentService = work.createSubagentService(
    {
      ...handing,
      spending,
      slots,
      stopWork: work.createStopWork({ stopSession, cancelRunsBegunIn: workflows.cancelBegunIn }),
      models: agents,
    },
    subagentLimits,
  );
  // Patterns: what people do repeatedly, and their answers
  const evidence = createEvidence({ store, sessions, users, redact: redactForModel, clock });
  const { learning: learns = true, feedbackButtons = false } = skillOptions;
  const { patterns: finding = {}, initiative = {}, holdout } = options.proactive ?? {};
  const recogniser = createRecogniser({
    ...ground,
    evidence,
    users,
    ...(hasSkills && learns && { learn: learning.learn }),
    lookAt: createLookForPatterns(
      {
        evidence,
        findings,
        memory: opened.behind,
        tell: createTellFinding({ ...ground, notify, findings, suggestions: skills.suggestions }),
        withdraw: attention.withdraw,
        timezoneOf: timezoneOfMemory,
        clock,
      },
      {
        detectors: [...PATTERN_DETECTORS, ...(finding.detectors ?? []).map((one) => ownDetector(one, logger))],
        jobs: keepsJobs,
        remembers,
        ...(hasSkills && learns && { suggestions: skills.suggestions }),
      },
    ),
    lock: opened.lock,
  });
  const patternAnswers = createPatternAnswers({
    findings,
    keepPromise: createPatternPromises({
      isOn: { job: keepsJobs, skill: hasSkills, remember: remembers, hint: true },
      evidence,
      jobs: jobService,
      memory: opened.behind,
      acceptSkill: learning.accept,
      rolesOf: owners.rolesOf,
    }),
    skills: learning,
    withdraw: attention.withdraw,
    canonicalUser: users.canonicalUser,
    lock: opened.lock,
    metrics,
  });
  const { enabled: keepsGoals = true, maxTokens: goalTokens } = options.goals ?? {};
  const goals = createReviewedGoals(
    {
      ...ground,
      files: goalFiles,
      jobs,
      runs,
      arm,
      homes: createHomes({ users, rolesOf: owners.rolesOf, timezoneOf: timezoneOfMemory }),
    },
    { ...scheduling, keepsJobs, keepsGoals },
  );
  const { patterns, workspace } = options;
  const builtIn = {
    ...(await tools.workspaceTools({ workspace, agents, patterns, store, platform, logger })),
    ...tools.webTools({
      clock,
      platform,
      pageReader: options.pageReader,
      search: options.search,
      ...fetching,
      onSearchFailure: (provider, error) =>
        logger.warn("A search engine failed", { provider, error: messageOf(error) }),
    }),
    ...tools.messageTool({ send: tools.createSendMessage({ notify, channels }) }),
    ...tools.notifyTool({ notify }),
    ...tools.clarifyTool(),
    ...tools.timeTool({ clock, timezone: ({ user }) => timezoneOf(user) }),
    ...tools.channelHistoryTool({ chatHistory: session.createChatHistory({ sessions }), users, timezoneOf }),
    ...tools.planTool({ clock }),
    ...tools.artifactTools({ artifacts }),
    ...(remembers &&
      tools.memoryTools({
        memory: opened.ofUsers,
        clock,
        redact: redactForModel,
        memoryUserOf,
        captured: captures.settled,
      })),
    ...tools.contextTool({
      ...users,
      notes,
      clock,
      audit,
      logger,
      redact: redactForModel,
      today: (user) => calendarOf(timezoneOf(user)).dayOf(clock.now()),
    }),
    ...(keepsJobs && tools.schedulerTools({ jobs: jobService, timezoneOf, isTheirs: users.isTheirs })),
    ...(keepsWorkflows &&
      tools.workflowTools({
        workflows: work.createWorkflowCalls({
          service: workflows,
          definitions: workflowDefinitions,
          runs: workflowRuns,
          spending,
        }),
      })),
    ...(handsOn && tools.subagentTools({ subagents: subagentService })),
    ...(keepsGoals && tools.okrTools({ goals, memoryUserOf, redact: redactForModel })),
    ...(hasSkills && {
      ...tools.skillsTool(skillsForTool({ opened: skills, offered, learning, giveFeedback, users })),
      ...(installs && tools.skillInstallTools(skills)),
    }),
  };
  const registry = tools.openRegistry(
    {
      ...tools.chosenTools(builtIn, options.builtins),
      // Tools by which the runtime itself asks the owner.
      ...(keepsJobs && tools.jobStartTool(claims)),
      ...(keepsWorkflows && tools.workflowApproveTool({ isRunSession: (key) => work.runOfCalls(key) !== undefined })),
      ...(options.mcp?.servers && tools.mcpAcceptTool(mcp)),
      ...options.tools,
    },
    { logger, whyAbsent: mcp.whyAbsent },
  );
  skills.seeTools(() => registry.names().tools);
  const policy = createAuditedPolicy(options.policy, { yaml, known: registry.names, audit, logger });
  const attachments = {
    artifacts,
    fetch: createGuardedFetch({ clock, ...fetching }, platform.network),
    clock,
    logger,
    maxBytes: options.artifacts?.maxBytes,
  };
  const problemOfExcluded = tools.createExcludedCheck(registry, [
    options.context,
    ...channels.all.map(({ access: { context } }) => context),
  ]);
  const isOffered = tools.createIsOffered({ registry, policy });
  const rulesFor = session.createQueueRules(options.queue ?? {}, channels);
  const files = turn.createMessageFiles({
    attachments,
    sessions,
    modelCalls,
    agentOf: agents.ofSession,
    channel: channels.of,
  });
  const arrivals = inbox.createArrivals({
    sessions,
    engine,
    waiters,
    running,
    rules: rulesFor,
    detachFiles: files.detach,
    refuseExcess: inbox.createOverflow({ sessions, outbox, waiters, clock, logger }),
    clock,
    metrics,
  });
  const approvers = inbox.createApprovers(owners);
  const chats = inbox.createApprovalChats({
    approvers,
    notices: inbox.createApprovalNotices({
      notify,
      channels: channels.all,
      approvers,
      redact: redactForModel,
      takeButtons,
      tellsHost: options.deliver !== undefined,
      logger,
    }),
    tell: inbox.createApprovalOutcomes({
      arrivals,
      owners,
      takenByWork: workflows.takeAnswer,
      mayHaveEnded,
      clock,
    }),
  });
  const { mayAnswer } = chats;
  const approvals = createApprovals({ ...ground, tools: registry, chats }, { ...options.approvals });
  registry.onRegistered(() => {
    approvals.toolArrived().catch((error: unknown) => {
      logger.error("An approved call whose tool is here now runs at the next start", { error: messageOf(error) });
    });
  });
  const lateResults = tools.createLateResults({
    ...ground,
    redact: redactForModel,
    keepLong,
    addNote: sessions.addNote,
    notify,
    mayHaveEnded,
  });
  const dispatch = tools.createDispatch({
    ...ground,
    callEvents: tools.createCallEvents({ ...ground, tracing }),
    runner: tools.createToolRunner({ redact: redactForModel, keepLong, expectLater: lateResults.expectLater }),
    redact: redactForModel,
    registry,
    decide: policy.decide,
    requestApproval: approvals.request,
  });
  approvals.start((record, signal) =>
    dispatch.runApproved({ ...record, caller: withRightsNow(record.caller, owners) }, signal),
  );
  const questions = tools.createRuntimeRequests({ dispatch, approvals, clock });
  const { enabled: activates = true, fallbackToIndex: namesSkills = true, maxActivated, tokenBudget } = autoActivation;
  const personaTokens = { fileTokens: options.persona?.fileTokens ?? DEFAULT_PERSONA_FILE_TOKENS };
  const sources = createContextSources(
    [
      ...hostSources(options.context?.parts),
      ...personaSources(
        {
          persona,
          onCut: (file, tokens) => logger.warn("A persona file is cut in prompts: it is too long", { file, tokens }),
        },
        personaTokens,
      ),
      ...(hasSkills && namesSkills ? [skillCatalogue(offered, (scope) => isOffered("skills", scope))] : []),
      ...(remembers
        ? memorySources({ memory: opened.ofUsers, users, clock, timezoneOf: timezoneOfMemory, redact: redactForModel })
        : []),
      ...peopleSources({ notes, users, isOffered: (scope) => isOffered("acp_context", scope) }),
    ],
    { onFailure: (part, error) => logger.warn("A part of a prompt is not there", { part, error: messageOf(error) }) },
  );

  // Flows. Belonging: all data of a person, under the person's current name
  const ofSkills = createSkillErasure(skills);
  const belonging = wireBelonging(
    ground,
    { users, access },
    { memory: opened, notes, goals, attention, skills: ofSkills, patterns: [evidence, findings] },
  );
  // Erasure: all data of a person, from each room
  const erasure = wireErasure(
    { ...ground, redact },
    {
      sessions,
      users,
      memory: opened.erased,
      artifacts,
      access,
      usage,
      notes,
      persona,
      notifications,
      attention,
      goals: goalFiles,
      skills: ofSkills,
      buttons,
      evidence,
      findings,
      jobs: schedule.createJobErasure({ store, jobs, runs }),
      workflows: workflow.createWorkflowErasure({ store, runs: workflowRuns }),
      subagents: createSubagentErasure({ store, subagents }),
    },
    {
      lock: opened.lock,
      start: () => lifecycle.start(),
      stopTurn: turn.createStopRemoved({ life, running }),
    },
  );
  // Memory: what turns add to it and read from it
  const memory = opened.apiWith({
    forget: (userId) => erasure.forget({ userId }),
    exportPerson: erasure.exportPerson,
    moved: belonging.moved,
  });
  const { autoRecall = true, autoCapture = true, recall = {}, refresh = {} } = memoryOptions;
  const flow = { ...ground, redact: redactForModel, sessions, memory: opened.ofUsers, memoryUserOf };
  const flowOptions = {
    recallLimit: recall.limit,
    recallTokens: recall.maxTokens,
    historyTokens,
    refreshInterval: refresh.interval,
    refreshTokens: refresh.maxTokens,
    autoCaptureDays: memoryOptions.autoCaptureDays,
    dedupeThreshold: memoryOptions.dedupeThreshold,
  };
  if (remembers && autoRecall) {
    hooks.add(memoryRecall(flow, flowOptions), RECALL_OPTIONS);
    hooks.add(iterationRefresh(flow, flowOptions), REFRESH_OPTIONS);
  }
  if (keepsGoals) {
    const { notice } = goals;
    const goalFlow = { ...flow, files: goalFiles, notice };
    hooks.add(goalContext(goalFlow, { maxTokens: goalTokens, historyTokens }), GOAL_CONTEXT_OPTIONS);
  }
  if (hasSkills && activates) {
    const { activations, linear } = skills;
    const activationsOf = (speaker: session.MemorySpeaker) => activations.recent(users.personOf(speaker));
    const activation = { ...flow, offered, statistics: { current: activations.stats }, activationsOf, linear };
    const recommends = skillOptions.recommender?.enabled;
    hooks.add(skillActivation(activation, { maxActivated, tokenBudget, recommends }), SKILL_ACTIVATION_OPTIONS);
  }
  if (hasSkills) {
    const askFeedback = feedbackButtons ? createFeedbackButtons({ notify }) : undefined;
    const { activations, offers } = skills;
    const recording = { ...ground, activations, sessions, lock: opened.lock, stepsOf: offers.stepsOf };
    hooks.add(activationRecorder({ ...recording, personOf: users.personOf, ...(askFeedback && { askFeedback }) }));
    if (learns) hooks.add(learning.hook, SKILL_LEARNING_OPTIONS);
  }
  const findsPatterns = finding.enabled ?? true;
  if (findsPatterns) hooks.add(recogniser.hook);
  if (initiative.enabled ?? true) {
    const { beyondChance } = opened;
    const touching = { ...flow, findings, ...(keepsGoals && { goals: goalFiles }), ...(remembers && { beyondChance }) };
    hooks.add(initiativeHook(touching, { holdout, historyTokens }), INITIATIVE_OPTIONS);
  }
  const looking = capturing && turn.createBackgroundModel({ modelCalls, agent: capturing, clock });
  const secondLook = looking && createSecondLook({ model: looking, redact: redactForModel, logger });
  const capture =
    remembers && autoCapture
      ? createMemoryCapture(
          { ...flow, memory: opened.behind },
          {
            underWay: captures,
            likenessTo: opened.likeness,
            secondLook,
            dueOf: (said, { userId, atMs }) => schedule.dayIn(said, { tz: timezoneOfMemory(userId), now: atMs }),
          },
        )
      : undefined;
  if (capture) hooks.add(capture.hook);
  const { days, entries } = opened;
  const summary = remembers
    ? createDailySummary({ ...ground, days, lifecycle: opened.lifecycle, memory: entries, memoryUserOf })
    : undefined;
  if (summary) hooks.add(summary.hook);
  if (remembers && options.compaction?.flush !== false) subscribeMemoryFlush(events, flow, flowOptions);
  const remembering = createRemembering({ capture, summary, lock: opened.lock, store, clock });

  // Turns: one message to at most one reply
  const flushTurn = turn.createFlushTurn({ modelCalls, dispatch, memoryUserOf, redact, clock, logger, metrics });
  const compaction = turn.createCompaction(
    {
      modelCalls,
      flush: turn.createFlush({ events, clock, logger, flushTurn }),
      writeSummary: turn.createSummaryWriter({ modelCalls, redact, clock, logger }),
      sessions,
      summaries,
      clock,
      logger,
      metrics,
    },
    { ...options.compaction, ...(!remembers && { flushTurn: false }) },
  );
  const toolCalls = turn.createToolCalls({
    dispatch,
    sessions,
    approvalOf: approvals.of,
    letGo: subagentService.letGo,
    clock,
  });
  const audiences = turn.createAudiences({ rules: rulesFor, sessions, waiters, toolCalls });
  const announcements = turn.createAnnouncements({ events, life, tracing, clock });
  const showTyping = turn.createTyping({ channel: channels.of, clock, logger });
  const replies = turn.createReplies({
    sessions,
    outbox,
    waiters,
    channel: channels.of,
    hostTarget: host.targetOf,
    findTool: registry.find,
    clock,
    metrics,
  });
  const turns = turn.createTurns({
    beginnings: turn.createBeginnings({ files, audiences, agentOf: agents.ofSession, contextOptions }),
    presence: turn.createPresence({ sessions, running, waiters, audiences, showTyping }),
    announcements,
    prompts: turn.createPrompts(
      { modelCalls, compaction, sources, timezone, person, clock, logger, metrics },
      { skillTokens: tokenBudget },
    ),
    steps: turn.createSteps({
      modelCalls,
      toolCalls,
      audiences,
      announcements,
      files,
      sessions,
      work: spending,
    }),
    replies,
    failureEnding: turn.createFailures({ modelCalls, timezone, redact, logger }),
    clock,
    logger,
  });
  const handleSession = turn.createSessionHandler({
    turns,
    tidyHistory: turn.createTidyHistory({
      compaction,
      running,
      agentOf: agents.ofSession,
      contextOptions,
      clock,
      logger,
    }),
    replies,
    sessions,
    slots,
    engine,
    rules: rulesFor,
    keepHistoryTokens: historyTokens,
    clock,
  });

  // The inbox: a message that arrives
  const configured = {
    agents: agents.configured,
    bindings: options.bindings ?? [],
    session: options.session ?? {},
  };
  const router = inbox.createRouter({ configured, owners, keepsCapitals, sessionKeyOf: capitals.keyOf });
  const submissions = inbox.createSubmissions({ router, owners, clock });
  const explainContext = createExplainContext(
    {
      sessions,
      describe: submissions.describe,
      hooks,
      sources,
      contextOptions,
      person,
      agentOf: agents.ofSession,
      timezone,
      clock,
    },
    { skillTokens: tokenBudget },
  );
  const describe = turn.createDescribeSession({ explainContext, modelCalls, usage, agentOf: agents.ofSession });
  const presses = inbox.createPresses({
    ...ground,
    buttons,
    handlers: inbox.leavingOutDamaged(
      {
        ...inbox.skillPresses({ answers: learning, giveFeedback, canonicalUser: users.canonicalUser }),
        [PATTERN_OFFER]: patternAnswers.press,
      },
      logger,
    ),
    wantLess: (user, type) => attention.wantLess(persons.of(user), type).catch(leftOut(logger)),
    takeButtons,
    notifications,
    outbox,
  });
  const incoming = inbox.createInbox({
    admission: inbox.createAdmission({ access, outbox, clock }),
    messages: inbox.createChannelMessages({ router, owners, clock }),
    submissions,
    arrivals,
    overheard: inbox.createOverheard({ sessions, audit, clock, metrics }),
    changes: inbox.createMessageChanges({
      sessions,
      owners,
      engine,
      ...(capture && { memoryWakeKey: capture.wakeKeyOf }),
      clock,
      metrics,
    }),
    approvals: inbox.createApprovalAnswers({
      answer: inbox.answerAccess(
        access,
        inbox.createApprovalDecisions({ approvals, mayAnswer, hasTool: registry.has, access }),
      ),
      mayAnswer,
      sessions,
      arrivals,
      outbox,
      audit,
      clock,
      metrics,
      logger,
    }),
    commands: inbox.createChatCommands({
      commands: {
        ...inbox.lookingCommands({
          recollection: { ...memory, memoryUserOf },
          ...(keepsJobs && { ownJobs: inbox.createOwnJobs({ jobs: jobService, users, timezoneOf }) }),
          describe,
          rules: rulesFor,
        }),
        ...(hasSkills &&
          inbox.skillCommands({
            offered: async ({ sessionKey, message }) =>
              (await offered.now(message, agentIdOf(sessionKey))).skills.map(({ skill }) => skill),
            suggestions: skills.suggestions,
            answers: learning,
            giveFeedback,
            users,
            buttons,
          })),
        ...inbox.attentionCommands({
          attention,
          personOf: persons.ofSpeaker,
          timezoneOf: persons.timezoneOfSpeaker,
          clock,
        }),
        ...inbox.changingCommands({ sessions, summaries, life, rules: rulesFor, models: agents }),
        ...inbox.turnCommands({
          sessions,
          running,
          engine,
          stopHandedOn: subagentService.stopAll,
          owners,
          clock,
        }),
      },
      refuseFlood: inbox.createCommandLimit({ outbox, sessions, audit, clock, metrics }),
      sessions,
      running,
      arrivals,
      outbox,
      audit,
      clock,
      logger,
    }),
    signs: inbox.createSigns({
      presses,
      consent: inbox.createConsent({
        buttons,
        outbox,
        sessions,
        lastSaidTo: async (user) => (await attention.view(persons.of(user))).sent.at(-1)?.at,
        clock,
        logger,
      }),
      reactions: inbox.createReactions({ activations: skills.activations, sessions, users, owners, giveFeedback }),
    }),
  });
  const jobTurns = work.createJobTurns(
    {
      take: arrivals.append,
      router,
      channelOf: channels.of,
      agentIdOf,
      persona,
      owners,
      mayHaveEnded,
      timezoneOf,
      clock,
    },
    personaTokens,
  );
  const workBudget = work.createWorkBudget(
    { usage, isOwner: (user) => owners.rolesOf(user).includes(OWNER_ROLE) },
    scheduling.budget,
  );
  const workApprovals = work.createWorkApprovals({ approvals, mayHaveEnded });
  const toldOwner = alerting.createAlertOwner({
    owners: owners.all,
    channels: channels.all,
    languageOf: (user) => person(user)?.language,
    timezoneOf,
    sessionOf: jobTurns.sessionOf,
  });
  const handleJob = work.createJobRuns({
    ...ground,
    jobs,
    runs,
    claims,
    leave: work.createJobLeave({
      ...ground,
      runs,
      questions,
      budget: workBudget,
      whyUnsaid: unasked.whyDropped,
    }),
    turns: jobTurns,
    results: work.createJobResults({
      ...ground,
      notify,
      turns: jobTurns,
      sessions,
      outbox,
      approvals: workApprovals,
      owners: owners.all,
      owner: toldOwner.user,
    }),
  });
  const { enabled: alerts = true, ...alertLimits } = options.alerts ?? {};
  const alarm = alerts
    ? alerting.createAlerts(
        {
          ...ground,
          runs,
          notify,
          owner: toldOwner,
          withdraw: (user, isOver) => attention.withdraw(persons.of(user), isOver),
        },
        { ...alertLimits, isFlushed: remembers && options.compaction?.flush !== false },
      )
    : undefined;
  const staticJobs = work.createStaticJobs(
    { jobs, rolesOf: owners.rolesOf, clock },
    { maxConsecFailures: scheduling.maxConsecFailures ?? schedule.DEFAULT_MAX_CONSEC_FAILURES },
  );
  const syncTriggers = work.createTriggers(
    scheduling.triggers ?? [],
    { jobs, staticJobs, timezoneOf },
    { minIntervalMs: scheduling.minIntervalMs },
  );
  const heartbeat = work.createHeartbeat(
    { jobs, staticJobs, persona, owners, turns: jobTurns, arm, timezoneOf, clock, logger },
    {
      ...options.heartbeat,
      ...personaTokens,
      minIntervalMs: scheduling.minIntervalMs,
      hasTimer: options.engine === undefined,
    },
  );
  const runSessions = work.createRunSessions({ runs, sessions, life, waits: [approvals.waitsIn, lateResults.waitsIn] });
  const jobWork = work.createJobWork({ scheduler, heartbeat, handleJob, runSessions, isOn: keepsJobs });
  const ownTurns = work.createOwnTurns({
    take: arrivals.append,
    stopSession,
    owners,
    mayHaveEnded,
    clock,
  });
  const handleSubagent = work.createSubagentRuns({
    ...handing,
    service: subagentService,
    turns: ownTurns,
    approvals: workApprovals,
    notify,
  });
  const values = work.createValues({ artifacts });
  const runEnds = work.createRunEnds({
    ...ground,
    runs: workflowRuns,
    children: work.createRunChildren({
      runs: workflowRuns,
      turns: ownTurns,
      approvals: workApprovals,
      cancel: workflows.cancel,
      stopHandedOn: subagentService.stopAll,
      subagents,
    }),
    progress,
    values,
    live: liveRuns,
  });
  const advance = work.createAdvance(
    {
      ...ground,
      runs: workflowRuns,
      work: work.createStepWork({
        dispatch,
        turns: ownTurns,
        values,
        skillOf: chains.skillOf,
        startRun: workflows.startWithin,
        approvals: workApprovals,
        models: work.createStepModels({ models: agents, priceOf: usage.priceOf, handedOn: spending.handedOn }),
        owners,
        times: work.createStepTimes({ timezoneOf, clock }),
      }),
      values,
      waits: work.createWaits({ approvals, runs: workflowRuns, values }),
      spending,
      ends: runEnds,
      progress,
    },
    { maxParallel },
  );
  const handleWorkflow = work.createRunWork({
    runs: workflowRuns,
    landed: workflows.landed,
    live: liveRuns,
    values,
    ends: runEnds,
    advance,
  });
  const delivery = createDelivery({
    ...ground,
    outbox,
    sessions,
    channels: [...channels.all, host.channel],
    shipping: createShipping({ ...ground, outbox, redact }),
    holdAgain: unasked.holdAgain,
  });

  const retention = createRetention(
    {
      store,
      clock,
      artifacts,
      jobs,
      workflowRuns,
      subagents,
      sessions,
      life,
      onFailure: warns("What is older than it may be was not removed"),
    },
    options.retention,
  );

  const mcpOwner = tools.createAskedOwner({ questions, approvals });

  // Doors
  const lifecycle = createLifecycle({
    engine,
    events,
    clock,
    keepAlive: platform.keepAlive,
    handle(key, signal) {
      // Daily work runs along with other work.
      retention.look();
      if (key === DEAD_LETTERS_KEY) return deadLetters.handle();
      if (key.startsWith("outbox:")) return delivery.handle(key, signal);
      if (erasure.isKey(key)) return erasure.handle();
      if (remembering.isKey(key)) return remembering.handle(key, signal);
      if (learning.isKey(key)) return learning.handle(key);
      if (recogniser.isKey(key)) return findsPatterns ? recogniser.handle(key) : Promise.resolve();
      if (belonging.isKey(key)) return belonging.handle();
      if (goals.isKey(key)) return goals.handle();
      if (unasked.isKey(key)) return unasked.handle(key);
      if (jobWork.isKey(key)) return jobWork.handle(key, signal);
      if (subagentService.isKey(key)) return handleSubagent(key, signal);
      if (work.isWorkflowKey(key)) return keepsWorkflows ? handleWorkflow(key, signal) : Promise.resolve();
      return isApprovalKey(key) ? approvals.handle(key) : handleSession(key, signal);
    },
    async recover(startEngine) {
      // The owner of a memory depends on who the owner of the assistant is.
      await access.recover();
      await erasure.recover();
      await capitals.move();
      await belonging.begin();
      await mcp.open(registry, mcpOwner);
      await startEngine();
      await remembering.recover();
      await opened.migrate(session.OWNER_MEMORY);
      await usage.load();
      if (hasSkills) await skills.open();
      // Recovers everything that was asked or promised.
      await approvals.recover();
      if (keepsJobs) {
        await jobs.open();
        await syncTriggers();
        await scheduler.start();
        await heartbeat.look();
        goals.start();
      }
      await lateResults.recover().catch(warns("Late results of the last process could not be reported"));
      mcp.start(registry, mcpOwner);
      retention.look();
      await tracing.look();
      logger.info("Wakeful is awake", { version: VERSION });
    },
    endWork: approvals.stop,
    state: createGatewayState({ jobs, mcp, outbox, channels: channelStatuses }),
    async close(reason) {
      retention.stop();
      await alarm?.stop();
      await belonging.stop();
      heartbeat.stop();
      skills.shelf.stop();
      await mcp.close();
      waiters.close(reason);
      liveRuns.close(reason);
      life.stop();
      await usage.settled();
      await goals.stop();
      await jobs.close();
      await remembering.stop();
      await opened.close();
      await audit.settled();
      await store.close?.();
    },
  });
  const { start, phase } = lifecycle;
  const {
    send,
    stream,
    submit,
    accept,
    hooks: hookCalls,
  } = inbox.createHostCalls({
    inbox: incoming,
    automations: inbox.createAutomations(
      { arrivals, sessions, router, owners, channels, hostTarget: host.targetOf, budget: workBudget, audit, clock },
      options.server?.hooks,
    ),
    submissions,
    waiters,
    clock,
    problemOfContext: (given) => problemOfContext(given) ?? problemOfExcluded(given),
    start,
    async passed(speaker) {
      await erasure.passed(speaker);
      await belonging.passed(speaker);
    },
  });
  const listeners = createListeners({
    channels: channels.all,
    connect: createConnect({
      accept,
      outbox: { bury: (letter) => outbox.bury(redact(letter)) },
      takeUp: async () => engine.takeUp?.(),
      leases: createLeases({ ...ground, processName: platform.processName }),
      statuses: channelStatuses,
      publicUrl,
      clock,
      logger,
    }),
    lifecycle: { start: lifecycle.startAwake, stop: lifecycle.stop },
    clock,
  });
  const sessionsApi: Assistant["sessions"] = {
    ...session.createSessionsApi({
      sessions,
      summaries,
      life,
      redact,
      defaultAgentId: agents.default.id,
      modelNames: agents.modelNames,
      readEdited: editedSummary,
    }),
    keyOf: (speaker) => submissions.describe({ ...speaker, text: "" }).sessionKey,
  };
  const skillsApi = createSkillsApi({
    opened: skills,
    answers: learning,
    giveFeedback,
    canonicalUser: users.canonicalUser,
    yaml,
    limits: { maxActivated, tokenBudget },
    slotsOf: skillSlots,
    start,
  });
  const hostTools = tools.createHostTools({
    callerOf: tools.createHostCallers({
      describe: submissions.describe,
      hasChannel: (target) => channels.of(target) !== undefined,
      agentIdOf: (id) => agents.of(id).id,
      ending: lifecycle.ending,
      clock,
    }),
    dispatch,
    registry,
    lateResults,
    addSecrets: redaction.add,
    start,
    track: lifecycle.track,
    clock,
  });
  const answer = tools.createAnswerRequest({ approvals, dispatch, start, isNew: () => phase() === "new" });
  const approvalsApi = createHostApprovals(approvals, answer);
  const attentionApi = createHostAttention(
    {
      attention,
      notify,
      replace: limits.replace,
      sessionKeyOf: (user) => submissions.describe({ user, text: "" }).sessionKey,
      obeyPress: presses.obey,
      canonicalUser: persons.of,
      accountOf: persons.accountOf,
      start,
      clock,
    },
    limits,
  );
  const workflowsApi = work.createHostWorkflows({
    service: workflows,
    definitions: workflowDefinitions,
    chains: chains.all,
    placeFor: work.createPlaceFor({ describe: submissions.describe, channelOf: channels.of, agentIdOf }),
    start,
  });
  const { followUp, followUps } = inbox.createApprovalFollowUps({ approvals, arrivals, waiters });
  const sessionKeyOf = (channel: string, name: string) => capitals.keyOf(agents.default.id, channel, name);
  const streamReply = http.createStreamReply({ stream, clock, logger });
  const routes = http.withOpenApi({ version: VERSION }, [
    ...http.webhookRoutes({ channels: channels.all, accept, audit, clock, logger, metrics }),
    ...http.hookRoutes({ hooks: hookCalls, clock }),
    ...http.messageRoutes({ send, submit, streamReply, clock }),
    ...http.chatRoutes({
      submit,
      streamReply,
      chats: inbox.createChats({ submissions, sessions, arrivals, waiters, start }),
      approvals: { answer, followUps },
      clock,
    }),
    ...http.sessionRoutes({ sessions: sessionsApi, explainContext, sessionKeyOf, clock }),
    ...http.artifactRoutes({ artifacts, sessionKeyOf }),
    // Before the start there is nothing to follow up.
    ...http.approvalRoutes({
      approvals: {
        ...approvalsApi,
        answer,
        followUp: async (id, signal) => (phase() === "new" ? null : followUp(id, signal)),
      },
      clock,
    }),
    ...http.accessRoutes({ access: createAccessPart(access, { start, onRemoved: jobService.pauseAllOf }), clock }),
    ...http.auditRoutes({ audit }),
    ...http.deadLetterRoutes({ list: outbox.listDead, letters: deadLetters, start, audit }),
    ...http.notificationRoutes({ notifications, press: attentionApi.press, clock }),
    ...http.attentionRoutes({ attention: attentionApi, canonicalUser: persons.of, clock, audit }),
    ...http.eventRoutes({ events, notifications, clock, ending: lifecycle.ending }),
    ...(keepsJobs
      ? http.jobRoutes({
          jobs: jobService,
          placeOf: (user, to) => work.placeOf(user, owners.rolesOf(user), to),
          start,
          clock,
        })
      : []),
    ...(keepsWorkflows ? http.workflowRoutes({ workflows: workflowsApi, clock, audit }) : []),
    ...(hasSkills ? http.skillRoutes({ skills: skillsApi, memoryUserOf: users.canonicalUser, clock, audit }) : []),
    ...http.channelRoutes(channelStatuses),
    ...http.usageRoutes(usage),
    ...http.mcpRoutes({
      mcpStatus: mcp.status,
      loadServer: async () => options.mcp?.endpoint ?? platform.load("@modelcontextprotocol/server"),
      endpoint: { send, tools: hostTools.spokenFor, version: VERSION, clock, logger },
    }),
    ...http.memoryRoutes({ memory, clock, audit }),
    ...http.personaRoutes({
      persona,
      agentIds: agents.configured.map(({ id }) => id),
      start,
      onWritten: jobWork.look,
      clock,
      audit,
    }),
    ...http.operationRoutes({ ready: http.createReadiness({ store, phase, clock, redact }), metrics, clock }),
  ]);
  const gate = http.createGate({ tokens: http.readTokens(options.server), hosts, publicUrl, audit, clock });
  const rateLimits = http.createRateLimits({ rateLimit, store, clock, logger, metrics });
  const clientOf = http.createClientReader(trustedProxies);
  const door = http.createDoor({
    build: () => http.createApp({ routes, gate, limits: rateLimits, clientOf, redact, installs, clock, logger }),
    start,
    logger,
  });

  return checkCalls({
    start: listeners.start,
    stop: listeners.stop,
    send,
    stream,
    get app() {
      return door.app();
    },
    fetch: door.fetch,
    events,
    hooks,
    sessions: sessionsApi,
    tools: hostTools.tools,
    policy,
    jobs: work.createHostJobs({ jobs: jobService, rolesOf: owners.rolesOf, start }),
    workflows: workflowsApi,
    skills: skillsApi,
    goals: createHostGoals({ goals, canonicalUser: users.canonicalUser, start }),
    attention: attentionApi,
    proactive: createProactiveApi({
      findings,
      answer: patternAnswers.answer,
      canonicalUser: users.canonicalUser,
      start,
    }),
    approvals: approvalsApi,
    access: createAccessApi(access, { start, onRemoved: jobService.pauseAllOf }),
    memory,
    artifacts: createArtifactsApi(artifacts, (name) =>
      session.parseSessionKey(name) ? name : sessionKeyOf("sdk", name),
    ),
    explainContext,
  });
}
