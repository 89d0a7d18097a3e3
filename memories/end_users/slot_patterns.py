"""The patterns by which a statement's slot is told, and the words that they need. Pure.

Each predicate's pattern is tried on what is said of somebody, without negation and words like "now" (`polarity`).
"""

import re

from memories.end_users import slot_words

_PLACE = r"(?P<value>.+)"
_DIETS = (
    r"(?P<value>vegan|vegetarian|pescatarian|pescetarian|flexitarian|omnivore|omnivorous|meat[- ]eater|carnivore)s?"
)
_TIERS = "plan|tier|subscription|package|membership"

#: (slot, what is said); the first that matches and whose value fits counts. `{noun}` is filled by the match.
PREDICATES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.I | re.S))
    for name, pattern in (
        ("address", r"(?:lives?|resides?) at (?P<value>\d.+)"),
        (
            "residence",
            rf"(?:has )?(?:lives?|living|(?:is|am|been) living|resides?|(?:is|am) (?:based|located|settled)"
            rf"|(?:moved|relocated)"
            rf"(?: back| over| from .+?)?) (?:in|to|at|near) {_PLACE}",
        ),
        ("timezone", r"(?:is|am|lives?|works?) (?:in|on) (?:the )?time ?zone (?:of )?(?P<value>.+)"),
        ("timezone", r"(?:is|am|lives?|works?) (?:in|on) (?:the )?(?P<value>.+?) time ?zone"),
        (
            "timezone",
            r"(?:is|am) (?:in|on) (?P<value>(?:utc|gmt)\s?[+-]\s?\d\S*|cet|cest|pst|pdt|est|edt|cst|mst|ist|gmt"
            r"|utc|bst|jst)",
        ),
        (
            "role",
            r"(?:works?|working|(?:is|am) (?:working|employed)|(?:has )?(?:started|began)(?: working| work)?) "
            r"as (?P<value>.+)",
        ),
        (
            "employer",
            r"(?:(?:has )?(?:works?|working|(?:is|am) (?:working|employed)|joined|started(?: working| a (?:new "
            r")?job)?"
            r"|began working|interns?|got a (?:new )?job|has a (?:new )?job|took a (?:new )?job))"
            r" (?:at|for|by|with) (?P<value>.+)",
        ),
        ("left", r"(?:has )?left (?P<value>[A-Z].+)"),
        ("employer", r"joined (?P<value>[A-Z].+)"),
        (
            "diet",
            rf"(?:is|am|became|turned|went|has become|follows?|keeps? to|eats?) (?:an? )?(?:strict |fully |mostly )?"
            rf"{_DIETS}(?: diet)?$",
        ),
        ("diet", rf"follows? an? (?:strict )?{_DIETS} (?:diet|lifestyle)"),
        ("plan", rf"(?:is|am|was) on (?:the |a |an |our )?(?P<value>.+?) (?:{_TIERS})\b"),
        (
            "plan",
            rf"(?:(?:has )?(?:upgraded|downgraded|switched|(?:is )?subscribed|subscribes|moved|changed)(?: from "
            rf".+?)? to"
            rf"|uses?|has|pays? for|signed up for) (?:the |a |an |our )?(?P<value>.+?) (?:{_TIERS})\b",
        ),
        ("plan", r"(?:has )?(?:upgraded|downgraded)(?: from .+?)? to (?P<value>.+)"),
        ("age", r"(?:is|am|turned|just turned) (?P<value>[\w-]+?)(?:[- ]years?[- ]old| years? of age)?$"),
        ("age", r"(?:is|am) (?:an? )?(?P<value>\w+)[- ]years?[- ]old"),
        ("weight", r"weighs? (?P<value>.+)"),
        ("height", r"(?:is|am) (?P<value>[\d.,]+ ?(?:cm|m|metres|meters|feet|ft)(?: \d+)?) tall"),
        ("salary", r"(?:earns?|makes?) (?P<value>\D{0,3}\d.+)"),
        ("birthday", r"(?:was born|celebrates? (?:his|her|their) birthday) (?:on )?(?P<value>.+)"),
        ("birth year", r"was born in (?P<value>(?:19|20)\d\d)\b"),
        ("origin", r"(?:is|am|comes?|originally comes?|was) (?:originally )?(?:from|born in) (?P<value>[A-Z].*)"),
        (
            "preferred name",
            r"(?:goes by|(?:prefers?|wants?|likes?|would like) to be (?:called|addressed as)) (?P<value>.+)",
        ),
        ("name", r"(?:is|am) (?:called|named) (?P<value>.+)"),
        (
            "answer language",
            r"(?:prefers?|wants?|needs?|expects?|likes?)(?: to (?:get|receive|have))? (?:\w+ )?(?:answers?|replies"
            r"|responses?|explanations?|communication|messages?|support|conversations?) in (?:an? (?:mix"
            r"|mixture) of )?(?P<value>[A-Z]\w+(?: and [A-Z]\w+)*)",
        ),
        (
            "answer language",
            r"prefers? (?:to (?:talk|speak|write|chat|communicate|be (?:answered|addressed)) in )(?P<value>[A-Z]\w+)",
        ),
        ("native language", r"speaks? (?P<value>\w+) (?:natively|as (?:a|his|her|their) (?:native|first) language)"),
        ("native language", r"(?:is|am) a native (?P<value>\w+) speaker"),
        ("email", r"can be (?:reached|contacted|emailed)(?: at| by e-?mail at| via)? (?P<value>\S+@\S+)"),
        (
            "phone",
            r"can be (?:reached|contacted|called|texted)(?: at| on| by phone (?:at|on)| via)? (?P<value>\+?[\d "
            r"()./-]{7,})",
        ),
        (
            "contact channel",
            r"(?:prefers?|wants?) to be (?:contacted|reached|notified|updated) (?:by|via|through|on|over) "
            r"(?P<value>.+)",
        ),
        (
            "editor",
            r"(?:uses?|prefers?|works? (?:in|with)|codes? in|(?:has )?switched(?: from .+?)? to) (?P<value>vim"
            r"|neovim|emacs"
            r"|vs ?code|visual studio code|sublime text|intellij(?: idea)?|pycharm|webstorm|helix|zed|cursor"
            r"|atom|nano"
            r"|eclipse|notepad\+\+) as (?:(?:his|her|their|a) )?(?:main |primary |default )?(?:code |text "
            r")?(?:editor|ide)",
        ),
        (
            "{noun} name",
            rf"has (?:an?|one) (?:[\w-]+ ){{0,2}}(?P<noun>{slot_words.RELATION}) (?:who is )?(?:named|called) "
            rf"(?P<value>[A-Z].*)",
        ),
        (
            "employment",
            r"(?:is|am|was|became|has been) (?P<value>unemployed|retired|between jobs|out of work|jobless)\b",
        ),
        ("employment", r"(?:has )?(?P<value>retired)\b"),
        (
            "chronotype",
            r"(?:is|am) an? (?P<value>(?:morning|evening|night) person|early riser|early bird|night owl|late riser)",
        ),
        ("handedness", r"(?:is|am) (?P<value>(?:left|right)[- ]handed)"),
        (
            "workplace",
            r"works? (?:mostly |mainly )?(?P<value>remotely|from home|(?:from|in|at) (?:the |an )?office|on[- "
            r"]?site)",
        ),
        (
            "{noun} level",
            r"(?:is|am) (?:an? )?(?:absolute |complete |total )?(?P<value>beginner|novice|newcomer|expert"
            r"|advanced|intermediate|fluent"
            r"|professional)(?: (?:user|speaker|learner|level))? (?:in|at|with|of|on) (?P<noun>[\w+#. -]+)$",
        ),
        (
            "{noun}",
            r"(?:uses?|has|keeps?|chose|owns?) (?P<value>.+?) as (?:his|her|their|my|the) (?:main |primary "
            r"|default |daily )?"
            r"(?P<noun>[a-z][a-z -]{2,30})$",
        ),
        (
            "{noun}",
            r"(?:mainly|mostly|primarily) (?:uses?|works? on|drives?) (?P<value>.+?) for (?P<noun>[a-z][a-z "
            r"-]{2,30})$",
        ),
        ("switched", r"(?:has )?(?:switched|changed|migrated|moved over) from (?P<old>.+?) to (?P<value>.+)"),
        ("car", r"drives? an? (?P<value>.+)"),
        ("manager name", r"reports (?:directly )?to (?P<value>.+)"),
        ("bank", r"banks (?:with|at) (?P<value>.+)"),
        ("commute", r"(?:commutes|goes to work|travels to work) (?:by|on) (?P<value>.+)"),
        (
            "marital status",
            r"(?:is|am|got|has been|became) (?:happily |recently |newly )?(?P<value>married|single|divorced"
            r"|engaged|widowed"
            r"|separated|in a relationship)\b",
        ),
        (
            "studies",
            r"(?:studies|study|studying|(?:is|am) studying|majors? in|(?:is|am) majoring in) (?P<value>(?!at\b"
            r"|in\b|for\b).+?)"
            r"(?: at .+)?$",
        ),
        (
            "school",
            r"(?:studies|study|(?:is|am) (?:studying|enrolled|a student)|goes to school|attends) (?:at |in )?"
            r"(?P<value>[A-Z].+)",
        ),
        (
            "grade",
            r"(?:is|am) (?:in|a) (?:the )?(?P<value>(?:grade|class|year) \d+|\d+(?:st|nd|rd|th)[- ](?:grade"
            r"|grader|class|year)"
            r"|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)[- ]grader?)",
        ),
        (
            "role",
            rf"(?:is|am|became|has become) (?:an? |the )?(?P<value>(?:[\w-]+ ){{0,4}}(?:{slot_words.JOB}))\b"
            r"(?! of| to)",
        ),
        (
            "number of {noun}",
            r"(?:has|have|owns?) (?P<value>\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve) "
            r"(?:[\w-]+ )?(?P<noun>[a-z]+s|children|people|employees)(?: (?:named|called) .+)?$",
        ),
    )
)
