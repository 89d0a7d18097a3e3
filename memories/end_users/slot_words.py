"""Words by which slots are told: whom people have, what they do for a living. Pure."""

import re

RELATIONS = frozenset(
    """sister brother twin sibling wife husband spouse partner fiance fiancee girlfriend boyfriend mother father
    mom mum dad parent parents son daughter child kid baby grandmother grandfather grandma grandpa aunt uncle
    cousin nephew niece friend boss manager supervisor colleague coworker assistant mentor teacher tutor doctor
    dentist therapist neighbour neighbor roommate flatmate landlord dog cat pet horse company team startup
    employer ex mother-in-law father-in-law sister-in-law brother-in-law stepmother stepfather stepson
    stepdaughter""".split()  # noqa: SIM905  (read as a paragraph)
)
#: Alternatives of a pattern, the longest first.
RELATION = "|".join(sorted(RELATIONS, key=len, reverse=True))
_LIST = r"""engineer|developer|programmer|designer|teacher|nurse|doctor|physician|surgeon|dentist|lawyer|attorney
    |accountant|manager|director|analyst|scientist|architect|consultant|chef|cook|baker|writer|author|editor|journalist|researcher
    |professor|lecturer|pilot|driver|electrician|plumber|carpenter|mechanic|farmer|salesperson|salesman|saleswoman
    |marketer|recruiter|freelancer|contractor|officer|administrator|assistant|technician|therapist|psychologist|pharmacist
    |veterinarian|vet|librarian|translator|photographer|paramedic|firefighter|barista|waiter|waitress|bartender|cashier
    |founder|ceo|cto|cfo|coo|head of [\w ]+|vp of [\w ]+|lead|intern|apprentice|student|banker|broker|economist
    |statistician|biologist|chemist|physicist|musician|actor|actress|producer|tailor|midwife|tutor|coach|trainer|clerk
    |secretary|judge|soldier|sailor|geologist|hairdresser|barber|gardener|florist|butcher|receptionist|retiree"""
#: Alternatives of a pattern.
JOB = re.sub(r"\s+", "", _LIST.replace("of [", "of~[").replace("[\\w ]", "[\\w~]")).replace("~", " ")
